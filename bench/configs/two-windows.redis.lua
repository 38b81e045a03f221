-- Charges both windows or none of them. KEYS: minute, day. ARGV: their limits.
-- Returns 1 if the request is admitted, otherwise 0, then both counts and the ms until the minute ends.
local used = redis.call('MGET', KEYS[1], KEYS[2])
local minute, day = tonumber(used[1] or 0), tonumber(used[2] or 0)
if minute >= tonumber(ARGV[1]) or day >= tonumber(ARGV[2]) then
  return { 0, minute, day, redis.call('PTTL', KEYS[1]) }
end
minute, day = redis.call('INCR', KEYS[1]), redis.call('INCR', KEYS[2])
if day == 1 then redis.call('EXPIRE', KEYS[2], 86400) end
if minute == 1 then
  redis.call('PEXPIRE', KEYS[1], 60000)
  return { 1, minute, day, 60000 }
end
return { 1, minute, day, redis.call('PTTL', KEYS[1]) }
