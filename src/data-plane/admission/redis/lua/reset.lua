-- Resets windows to zero and clears the strikes. An active ban continues. KEYS: the quota, its month. ARGV: deadline, and the
-- window to reset (1 minute, 2 day, 3 month) or 0 for all.

local now = time()
if now > tonumber(ARGV[1]) then return tooLate(now) end
local window = ARGV[2]
local s = load(KEYS[1])
local m = loadMonth(KEYS[2], s)
advance(s, now)
if window == '0' or window == '1' then closeMinute(s) end
if window == '0' or window == '2' then openDay(s, s[DAY_START]) end
if m and (window == '0' or window == '3') then redis.call('DEL', KEYS[2]) end
clearStrikes(s)
save(KEYS[1], s, now)
return reply(s, 0, 0, 0)
