-- The store's own clock, in whole milliseconds since the Unix epoch: gateways whose clocks differ agree by it.
local function time()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- Keeps a value for `ttl` ms. Lua would write a long number with 14 digits: `format` writes all of them.
local function keep(key, value, ttl)
  redis.call('SET', key, value, 'PX', string.format('%.0f', ttl))
end
