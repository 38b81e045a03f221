-- The store's own clock, in whole milliseconds since the Unix epoch: gateways whose clocks differ all go by this one.
local function time()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- Keeps a value for `ttlMs`. Lua's own conversion would keep only 14 digits of a long number: `format` writes all of
-- them.
local function keep(key, value, ttlMs)
  redis.call('SET', key, value, 'PX', string.format('%.0f', ttlMs))
end
