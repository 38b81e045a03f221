/**
 * A clock for admission in Redis that a test can set: its time is the value of a key. Stored values get an hour more to
 * live than asked for, because expiry follows the server's real clock.
 */
export const CLOCK_KEY = 'test-clock';
/** Prefix of the keys that hold the expiry of another key. */
export const KEPT_KEY = 'test-kept:';

export const testClock = `
local function time()
  return tonumber(redis.call('GET', '${CLOCK_KEY}'))
end

local function keep(key, value, ttl)
  redis.call('SET', key, value, 'PX', string.format('%.0f', ttl + 3600000))
  redis.call('SET', '${KEPT_KEY}' .. key, string.format('%.0f', time() + ttl))
end
`;
