-- The rules for when a key is banned, and for how long: the port of ban-rules.ts. Follows the constants of the ban policy.

local function clearStrikes(s)
  s[STRIKE_COUNT], s[STRIKES_SINCE] = 0, 0
end

local function isBanned(s)
  return s[SEEN] < s[BAN_UNTIL]
end

local function levelOf(s)
  if s[SEEN] >= s[BAN_UNTIL] + FORGIVE_AFTER then return 0 end
  return s[BAN_LEVEL]
end

local function setBan(s, durationMs, level, manual)
  s[BAN_FROM], s[BAN_UNTIL], s[BAN_LEVEL], s[BAN_MANUAL] = s[SEEN], s[SEEN] + durationMs, level, manual
  clearStrikes(s)
end

-- Bans a key for its strikes. Each ban that is not yet forgiven makes the next one longer.
local function startBan(s)
  local level = levelOf(s)
  setBan(s, DURATIONS[math.min(level + 1, #DURATIONS)], level + 1, 0)
end
