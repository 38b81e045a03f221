-- Returns the current usage of a quota. Writes nothing. KEYS: the quota, its month. ARGV: 1 if its limits have a month.

local s = load(KEYS[1])
local m = loadMonth(KEYS[2], s)
advance(s, time())
return reply(s, 0, 0, 0, ARGV[1] == '1' and monthAt(m, s) or nil)
