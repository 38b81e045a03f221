-- Writes a value to check that the server accepts writes, because a reply alone does not show that. KEYS: a key with the hash
-- tag of a quota, so that it is on the same node.

local now = time()
keep(KEYS[1], '', 1000)
return { 0, now }
