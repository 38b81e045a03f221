-- The month of a quota: the port of `MonthState` in state.ts and of windows.ts. It has its own key, so that older gateways,
-- which do not know months, do not delete it.

local DAYS_IN_MONTH = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }

-- Returns the start of the UTC month that contains `time`, and the start of the next month. Days are counted from March 1 of
-- the year 0, so that a leap day is the last day of its year: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
local function boundsOfMonth(time)
  local days = math.floor(time / DAY) + 719468
  local ofEra = days % 146097
  local yearOfEra = math.floor((ofEra - math.floor(ofEra / 1460) + math.floor(ofEra / 36524) - math.floor(ofEra / 146096)) / 365)
  local ofYear = ofEra - (365 * yearOfEra + math.floor(yearOfEra / 4) - math.floor(yearOfEra / 100))
  local fromMarch = math.floor((5 * ofYear + 2) / 153)
  local dayOfMonth = ofYear - math.floor((153 * fromMarch + 2) / 5)
  local month = fromMarch < 10 and fromMarch + 3 or fromMarch - 9
  local year = yearOfEra + math.floor(days / 146097) * 400 + (month <= 2 and 1 or 0)
  local isLeap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
  local start = time - time % DAY - dayOfMonth * DAY
  return start, start + (DAYS_IN_MONTH[month] + (month == 2 and isLeap and 1 or 0)) * DAY
end

-- Loads the stored month. If the quota itself has expired, its last time seen is taken from the month.
local function loadMonth(key, s)
  local packed = redis.call('GET', key)
  if not packed then return nil end
  local m = cmsgpack.unpack(packed)
  if s[SEEN] == 0 then s[SEEN] = m[M_SEEN] end
  return m
end

-- Returns the month at the last time that the quota has seen: the stored month, or a new one.
local function monthAt(m, s)
  local seen = s[SEEN]
  if not m or seen >= m[M_TILL] then
    local from, till = boundsOfMonth(seen)
    return { seen, from, till, 0, 0 }
  end
  if seen < m[M_FROM] or seen < m[M_REFUSED_AT] then
    m[M_FROM], m[M_TILL] = boundsOfMonth(seen)
    m[M_REFUSED_AT] = math.min(m[M_REFUSED_AT], seen)
  end
  return m
end

-- Saves a month. `expiring` is the time at which the stored key expires, if there is one.
local function saveMonth(key, m, s, now, expiring)
  if m[M_USED] == 0 then
    redis.call('DEL', key)
    return
  end
  m[M_SEEN] = s[SEEN]
  local packed = cmsgpack.pack(m)
  -- Keeping the expiry is faster than setting the same expiry again.
  if expiring == m[M_TILL] then redis.call('SET', key, packed, 'KEEPTTL')
  else keep(key, packed, m[M_TILL] - now)
  end
end
