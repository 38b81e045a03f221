/**
 * A clock for admission in Redis that a test can set: it is what a key on the server says. What is kept outlives the
 * test by the server's own clock, since that one does not know what time it is.
 */
export const CLOCK_KEY = 'test-clock';
/** Until when what is stored under a key is kept: this, followed by the key. */
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
