-- Checks that the server takes writes: an answer alone does not show that. KEYS: has a quota's hash tag, so it is on
-- the same node.

local now = time()
keep(KEYS[1], '', 1000)
return { 0, now }
