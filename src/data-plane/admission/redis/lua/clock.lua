-- Returns the time of the store's clock, in whole milliseconds since the Unix epoch. All gateways use this clock, because
-- their own clocks may differ.
local function time()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- Stores a value for `ttlMs`. Uses `format`, because Lua's own conversion to a string keeps only 14 digits.
local function keep(key, value, ttlMs)
  redis.call('SET', key, value, 'PX', string.format('%.0f', ttlMs))
end
