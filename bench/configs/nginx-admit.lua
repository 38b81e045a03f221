-- Checks key and limits, as one would write it for nginx: one round trip to Redis on a pooled connection.
local redis = require 'nginx.redis'

local admission = {}
local settings, source, sha

function admission.configure(given)
  settings = given
  local file = assert(io.open(given.script))
  source = file:read('*a')
  file:close()
end

-- The script is sent only once. After that, its hash is enough.
local function call(client, ...)
  if not sha then
    local found, err = client:script('load', source)
    if not found then return nil, err end
    sha = found
  end
  return client:evalsha(sha, ...)
end

local function refuse(status)
  ngx.status = status
  return ngx.exit(status)
end

function admission.admit()
  local consumer = ngx.var.consumer
  if consumer == '' then return refuse(401) end

  local client = redis:new()
  client:set_timeout(1000)
  local connected = client:connect('127.0.0.1', settings.redisPort)
  if not connected then return refuse(503) end
  local now = ngx.now()
  local reply, err = call(
    client, 2, 'nginx:m:{' .. consumer .. '}', 'nginx:d:{' .. consumer .. '}:' .. math.floor(now / 86400),
    settings.minute, settings.day
  )
  if not reply then
    ngx.log(ngx.ERR, 'redis: ', err)
    return refuse(503)
  end
  client:set_keepalive(60000, 128)

  local admitted, minuteUsed, dayUsed, resetsIn = reply[1], reply[2], reply[3], reply[4]
  local limit, remaining = settings.minute, settings.minute - minuteUsed
  if settings.day - dayUsed < remaining then limit, remaining = settings.day, settings.day - dayUsed end
  local header = ngx.header
  header['X-RateLimit-Limit'] = limit
  header['X-RateLimit-Remaining'] = remaining
  header['X-RateLimit-Reset'] = math.ceil(now + resetsIn / 1000)
  if admitted == 0 then
    header['Retry-After'] = math.max(1, math.ceil(resetsIn / 1000))
    return refuse(429)
  end
end

return admission
