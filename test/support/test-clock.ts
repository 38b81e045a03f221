/**
 * The Redis key whose value is the time for admission, so that tests can set the time. Values are stored for an hour
 * longer than requested, because their expiry follows the server's real clock.
 */
export const CLOCK_KEY = 'test-clock';
/** The prefix of additional Redis keys, in which the tests keep the expiry that was requested for a key. */
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
