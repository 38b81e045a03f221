-- The rule of decide.ts, run next to the data. A differential test compares the two.
-- Decides any number of requests, in order. KEYS: the quota of each; the same one may occur several times. ARGV: a
-- deadline in the store's time, then the terms of each request: cost, minute limit, day limit, 1 for shadow mode.
-- Returns 0, the store's time, and the replies separated by semicolons; one that begins with ! is an error and concerns
-- only that request. Terms and replies are strings of numbers separated by spaces: clients take many times longer to
-- read them one by one.

local ADMITTED, MINUTE_EXHAUSTED, DAY_EXHAUSTED, BANNED, COST_EXCEEDS_LIMIT = 0, 1, 2, 3, 4

local function forgetOtherMode(s, shadow)
  if s[SHADOW] == shadow then return end
  s[SHADOW], s[MINUTE_REFUSED_AT], s[DAY_REFUSED_AT] = shadow, 0, 0
  clearStrikes(s)
end

local function noteRefusal(s, minuteFull, dayFull)
  local minuteFreesLast = minuteFull and not (dayFull and s[DAY_START] + DAY >= s[MINUTE_START] + MINUTE)
  local refusedAt = s[minuteFreesLast and MINUTE_REFUSED_AT or DAY_REFUSED_AT]
  if minuteFull and s[MINUTE_REFUSED_AT] == 0 then s[MINUTE_REFUSED_AT] = s[SEEN] end
  if dayFull and s[DAY_REFUSED_AT] == 0 then s[DAY_REFUSED_AT] = s[SEEN] end
  if refusedAt == 0 or s[SEEN] - refusedAt <= GRACE then return false end
  if s[STRIKE_COUNT] == 0 then s[STRIKES_SINCE] = s[SEEN] end
  s[STRIKE_COUNT] = s[STRIKE_COUNT] + 1
  return true
end

local function whenFree(s, minuteFull, dayFull)
  return math.max(
    isBanned(s) and s[BAN_UNTIL] or 0,
    minuteFull and s[MINUTE_START] + MINUTE or 0,
    dayFull and s[DAY_START] + DAY or 0
  )
end

local function admit(key, now, cost, minuteLimit, dayLimit, shadow)
  local s = load(key)
  advance(s, now)
  forgetOtherMode(s, shadow)
  if s[STRIKE_COUNT] > 0 and s[SEEN] - s[STRIKES_SINCE] > WITHIN then clearStrikes(s) end

  local fits = cost <= minuteLimit
  local minuteFull = fits and s[MINUTE_USED] + cost > minuteLimit
  local dayFull = fits and s[DAY_USED] + cost > dayLimit

  local outcome = ADMITTED
  if isBanned(s) then outcome = BANNED
  elseif not fits then outcome = COST_EXCEEDS_LIMIT
  elseif dayFull then outcome = DAY_EXHAUSTED
  elseif minuteFull then outcome = MINUTE_EXHAUSTED
  end
  local heldByHand = outcome == BANNED and s[BAN_MANUAL] == 1
  local admitted = outcome == ADMITTED or (shadow == 1 and not heldByHand)

  local exhausted = outcome == MINUTE_EXHAUSTED or outcome == DAY_EXHAUSTED
  local struck = exhausted and noteRefusal(s, minuteFull, dayFull)
  local strikes = s[STRIKE_COUNT]
  local banStarted = struck and strikes >= math.max(STRIKES, minuteLimit / 10)
  if banStarted then
    outcome = BANNED
    if shadow == 1 then clearStrikes(s) else startBan(s) end
  end

  if admitted then
    if s[MINUTE_USED] == 0 then s[MINUTE_START] = s[SEEN] end
    s[MINUTE_USED], s[DAY_USED] = s[MINUTE_USED] + cost, s[DAY_USED] + cost
  end
  save(key, s, now)

  local retryAt = (admitted or outcome == COST_EXCEEDS_LIMIT) and 0 or whenFree(s, minuteFull, dayFull)
  return reply(s, outcome * 4 + (admitted and 2 or 0) + (banStarted and 1 or 0), retryAt, strikes)
end

local now = time()
if now > tonumber(ARGV[1]) then return tooLate(now) end
local read, replies = {}, {}

-- Parsed once: most requests of a batch have the same terms.
local function termsOf(text)
  local terms = read[text]
  if not terms then
    terms = {}
    for number in text:gmatch('%d+') do terms[#terms + 1] = tonumber(number) end
    read[text] = terms
  end
  return unpack(terms)
end

for i, key in ipairs(KEYS) do
  local ok, result = pcall(admit, key, now, termsOf(ARGV[i + 1]))
  if ok then
    -- Lua's own conversion to a string keeps only 14 digits.
    replies[i] = string.rep(' %.0f', #result):sub(2):format(unpack(result))
  else
    -- The error is a table in some versions of Redis and a string in others.
    replies[i] = '!' .. (type(result) == 'table' and result.err or result):gsub(';', ',')
  end
end
return { 0, now, table.concat(replies, ';') }
