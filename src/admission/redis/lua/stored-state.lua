-- The state of a quota, packed with MessagePack, which keeps integers exact and short. Follows clock.lua and expiry.lua.

local function load(key)
  local packed = redis.call('GET', key)
  if packed then return cmsgpack.unpack(packed) end
  return { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
end

local function save(key, s, now)
  local expires = expiresAt(s)
  if expires > now then keep(key, cmsgpack.pack(s), expires - now) else redis.call('DEL', key) end
end

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

-- The first field is the decision (see redis-reply.ts); the ban comes last, if one is active.
local function reply(s, code, retryAt, strikes)
  local fields = { code, s[SEEN], s[MINUTE_START], s[MINUTE_USED], s[DAY_USED], retryAt, strikes }
  if isBanned(s) then
    fields[8], fields[9], fields[10], fields[11] = s[BAN_FROM], s[BAN_UNTIL], s[BAN_LEVEL], s[BAN_MANUAL]
  end
  return fields
end

-- The caller has given up: nothing is decided or charged.
local function tooLate(now)
  return { -1, now }
end
