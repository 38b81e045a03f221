-- Takes back a lot that is still pending, by the commands given: all of it, or nothing where it no longer is, or may
-- still come.
-- KEYS: pending, then all that the commands touch. ARGV: the token of the lot, `own` if whoever made it gives it up (else
-- its time must be over), then commands, each with the number of its words first.
local token, own = ARGV[1], ARGV[2] == 'own'
local clock = redis.call('TIME')
local kept, found = {}, false
for each in (redis.call('GET', KEYS[1]) or ''):gmatch('%S+') do
  if each == token then
    found = true
  else
    kept[#kept + 1] = each
  end
end
if not found or (not own and tonumber(token:match('%d+$')) > clock[1] * 1000) then
  return
end
local at = 3
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + words))
  at = at + words + 1
end
redis.call('SET', KEYS[1], table.concat(kept, ' '))
