-- Computes when a state becomes equivalent to the initial state: the port of a function in ban-rules.ts. Follows
-- state-fields.lua and the constants of the ban policy.

local function expiresAt(s)
  local expires = s[BAN_UNTIL]
  if s[BAN_LEVEL] > 0 then expires = expires + FORGIVE_AFTER end
  if s[MINUTE_USED] > 0 then expires = math.max(expires, s[MINUTE_START] + MINUTE) end
  if s[DAY_USED] > 0 then expires = math.max(expires, s[DAY_START] + DAY) end
  if s[STRIKE_COUNT] > 0 then expires = math.max(expires, s[STRIKES_SINCE] + WITHIN + 1) end
  return expires
end
