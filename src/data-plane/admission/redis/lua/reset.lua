-- Empties both windows and clears the strikes; an active ban continues. ARGV: deadline.

local now = time()
if now > tonumber(ARGV[1]) then return tooLate(now) end
local s = load(KEYS[1])
advance(s, now)
closeMinute(s)
openDay(s, s[DAY_START])
clearStrikes(s)
save(KEYS[1], s, now)
return reply(s, 0, 0, 0)
