-- The current usage of a quota. Writes nothing.

local s = load(KEYS[1])
advance(s, time())
return reply(s, 0, 0, 0)
