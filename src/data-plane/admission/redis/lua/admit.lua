-- The rule of decide.ts, ported to Lua. A differential test compares the two.
-- Decides any number of requests, in order. KEYS: for each request, the key of its quota, and the key of its month if it has
-- a month limit. Several requests may have the same keys. ARGV: a deadline in the store's time, then the terms of each
-- request: cost, minute limit, day limit, 1 for shadow mode, and the month limit if there is one.
-- Returns 0, the store's time, and the replies separated by semicolons. A reply that begins with ! is an error of that
-- request only. Terms and replies are strings of numbers separated by spaces, because clients take many times longer to read
-- separate numbers.

local ADMITTED, MINUTE_EXHAUSTED, DAY_EXHAUSTED, BANNED, COST_EXCEEDS_LIMIT, MONTH_EXHAUSTED = 0, 1, 2, 3, 4, 5

local function forgetOtherMode(s, m, shadow)
  if s[SHADOW] == shadow then return end
  s[SHADOW], s[MINUTE_REFUSED_AT], s[DAY_REFUSED_AT] = shadow, 0, 0
  if m then m[M_REFUSED_AT] = 0 end
  clearStrikes(s)
end

-- Returns whether the client ignored `Retry-After`: see `noteRefusal` in decide.ts.
local function noteRefusal(s, m, minuteFull, dayFull, monthFull, isPatient)
  local freeAt, refusedAt = 0, 0
  if minuteFull then
    freeAt, refusedAt = s[MINUTE_START] + MINUTE, s[MINUTE_REFUSED_AT]
    if isPatient or refusedAt == 0 then s[MINUTE_REFUSED_AT] = s[SEEN] end
  end
  if dayFull then
    local dayEnd = s[DAY_START] + DAY
    if dayEnd >= freeAt then freeAt, refusedAt = dayEnd, s[DAY_REFUSED_AT] end
    if isPatient or s[DAY_REFUSED_AT] == 0 then s[DAY_REFUSED_AT] = s[SEEN] end
  end
  if monthFull then
    if m[M_TILL] >= freeAt then refusedAt = m[M_REFUSED_AT] end
    if isPatient or m[M_REFUSED_AT] == 0 then m[M_REFUSED_AT] = s[SEEN] end
  end
  return not isPatient and refusedAt > 0 and s[SEEN] - refusedAt > GRACE
end

local function whenFree(s, m, minuteFull, dayFull, monthFull)
  return math.max(
    isBanned(s) and s[BAN_UNTIL] or 0,
    minuteFull and s[MINUTE_START] + MINUTE or 0,
    dayFull and s[DAY_START] + DAY or 0,
    monthFull and m[M_TILL] or 0
  )
end

-- Without a month limit, `monthKey` is neither read nor written.
local function admit(key, monthKey, now, cost, minuteLimit, dayLimit, shadow, monthLimit)
  local s = load(key)
  local stored = monthLimit and loadMonth(monthKey, s)
  local expiring = stored and stored[M_TILL]
  advance(s, now)
  local m = monthLimit and monthAt(stored, s)
  forgetOtherMode(s, m, shadow)
  if s[STRIKE_COUNT] > 0 and s[SEEN] - s[STRIKES_SINCE] > WITHIN then clearStrikes(s) end

  local fits = cost <= minuteLimit
  local minuteFull = fits and s[MINUTE_USED] + cost > minuteLimit
  local dayFull = fits and s[DAY_USED] + cost > dayLimit
  local monthFull = fits and m and m[M_USED] + cost > monthLimit

  local outcome = ADMITTED
  if isBanned(s) then outcome = BANNED
  elseif not fits then outcome = COST_EXCEEDS_LIMIT
  elseif monthFull then outcome = MONTH_EXHAUSTED
  elseif dayFull then outcome = DAY_EXHAUSTED
  elseif minuteFull then outcome = MINUTE_EXHAUSTED
  end
  local heldByHand = outcome == BANNED and s[BAN_MANUAL] == 1
  local admitted = outcome == ADMITTED or (shadow == 1 and not heldByHand)

  local sinceRefusal = s[SEEN] - (s[LAST_REFUSED_AT] or 0)
  local isPatient = sinceRefusal >= PATIENCE
  if outcome ~= ADMITTED and sinceRefusal > GRACE then s[LAST_REFUSED_AT] = s[SEEN] end
  local exhausted = outcome == MINUTE_EXHAUSTED or outcome == DAY_EXHAUSTED or outcome == MONTH_EXHAUSTED
  local struck = exhausted and noteRefusal(s, m, minuteFull, dayFull, monthFull, isPatient)
  if struck then
    if s[STRIKE_COUNT] == 0 then s[STRIKES_SINCE] = s[SEEN] end
    s[STRIKE_COUNT] = s[STRIKE_COUNT] + 1
  end
  local strikes = s[STRIKE_COUNT]
  local banStarted = struck and strikes >= math.max(STRIKES, minuteLimit / 10)
  if banStarted then
    outcome = BANNED
    if shadow == 1 then clearStrikes(s) else startBan(s) end
  end

  if admitted then
    if s[MINUTE_USED] == 0 then s[MINUTE_START] = s[SEEN] end
    s[MINUTE_USED], s[DAY_USED] = s[MINUTE_USED] + cost, s[DAY_USED] + cost
    if m then m[M_USED] = m[M_USED] + cost end
  end
  save(key, s, now)
  if m and (stored or m[M_USED] > 0) then saveMonth(monthKey, m, s, now, expiring) end

  local retryAt = (admitted or outcome == COST_EXCEEDS_LIMIT) and 0 or whenFree(s, m, minuteFull, dayFull, monthFull)
  return reply(s, outcome * 4 + (admitted and 2 or 0) + (banStarted and 1 or 0), retryAt, strikes, m)
end

local now = time()
if now > tonumber(ARGV[1]) then return tooLate(now) end
local read, replies = {}, {}

-- Most requests of a batch have the same terms, so each text is parsed only once.
local function termsOf(text)
  local terms = read[text]
  if not terms then
    terms = {}
    for number in text:gmatch('%d+') do terms[#terms + 1] = tonumber(number) end
    read[text] = terms
  end
  return terms
end

local nextKey = 1
for i = 1, #ARGV - 1 do
  local key, monthKey, terms = KEYS[nextKey], KEYS[nextKey + 1], termsOf(ARGV[i + 1])
  nextKey = nextKey + (terms[5] and 2 or 1)
  local ok, result = pcall(admit, key, monthKey, now, unpack(terms))
  if ok then
    -- Lua's own conversion to a string keeps only 14 digits.
    replies[i] = string.rep(' %.0f', #result):sub(2):format(unpack(result))
  else
    -- The error is a table in some versions of Redis and a string in others.
    replies[i] = '!' .. (type(result) == 'table' and result.err or result):gsub(';', ',')
  end
end
return { 0, now, table.concat(replies, ';') }
