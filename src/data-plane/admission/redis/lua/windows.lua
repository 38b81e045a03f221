-- The port of windows.ts: how windows begin and end as time passes or the clock is corrected. Follows stored-state.lua.

local MAX_SKEW_MS = 5000

local function closeMinute(s)
  s[MINUTE_START], s[MINUTE_USED], s[MINUTE_REFUSED_AT] = 0, 0, 0
end

local function openDay(s, start)
  s[DAY_START], s[DAY_USED], s[DAY_REFUSED_AT] = start, 0, 0
end

local function followCorrection(s, now)
  local banLeft = s[BAN_UNTIL] - s[SEEN]
  s[BAN_UNTIL] = banLeft > 0 and now + banLeft or math.min(s[BAN_UNTIL], now)
  s[BAN_FROM] = math.min(s[BAN_FROM], now)
  s[MINUTE_START] = math.min(s[MINUTE_START], now)
  s[MINUTE_REFUSED_AT] = math.min(s[MINUTE_REFUSED_AT], now)
  s[DAY_START] = math.min(s[DAY_START], now - now % DAY)
  s[DAY_REFUSED_AT] = math.min(s[DAY_REFUSED_AT], now)
  s[STRIKES_SINCE] = math.min(s[STRIKES_SINCE], now)
  if s[LAST_REFUSED_AT] then s[LAST_REFUSED_AT] = math.min(s[LAST_REFUSED_AT], now) end
  s[SEEN] = now
end

-- Sets the last time seen, follows a correction of the clock, and ends windows whose time is over.
local function advance(s, now)
  if now < s[SEEN] - MAX_SKEW_MS then followCorrection(s, now)
  elseif now > s[SEEN] then s[SEEN] = now
  end
  if s[SEEN] >= s[MINUTE_START] + MINUTE then closeMinute(s) end
  local today = s[SEEN] - s[SEEN] % DAY
  if today ~= s[DAY_START] then openDay(s, today) end
end
