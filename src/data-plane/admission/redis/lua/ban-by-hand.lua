-- Bans manually. Replaces an active ban and does not raise the level. KEYS: the quota, its month. ARGV: deadline, duration
-- in ms. Returns the ban.

local now = time()
if now > tonumber(ARGV[1]) then return tooLate(now) end
local s = load(KEYS[1])
loadMonth(KEYS[2], s)
advance(s, now)
setBan(s, tonumber(ARGV[2]), levelOf(s), 1)
save(KEYS[1], s, now)
return reply(s, 0, 0, 0)
