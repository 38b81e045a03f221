-- Ends the active ban, automatic or manual, and clears the strikes. KEYS: the quota, its month. ARGV: deadline. Returns the
-- ban that it ended, if any.

local now = time()
if now > tonumber(ARGV[1]) then return tooLate(now) end
local s = load(KEYS[1])
loadMonth(KEYS[2], s)
advance(s, now)
local before = reply(s, 0, 0, 0)
if isBanned(s) then s[BAN_UNTIL] = s[SEEN] end
clearStrikes(s)
save(KEYS[1], s, now)
return before
