-- Loads and saves the state of a quota. It is packed with MessagePack, which keeps integers exact and short. Follows
-- clock.lua, expiry.lua and bans.lua.

local function load(key)
  local packed = redis.call('GET', key)
  if packed then return cmsgpack.unpack(packed) end
  return { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
end

local function save(key, s, now)
  local expires = expiresAt(s)
  if expires > now then keep(key, cmsgpack.pack(s), expires - now) else redis.call('DEL', key) end
end

-- Builds the reply. The first field is the decision (see redis-reply.ts). The active ban and the usage of the month `m` come
-- last, if there are any. The start and end of the month are left out, because the caller can compute them from the time.
local function reply(s, code, retryAt, strikes, m)
  local fields = { code, s[SEEN], s[MINUTE_START], s[MINUTE_USED], s[DAY_USED], retryAt, strikes }
  if isBanned(s) then
    fields[8], fields[9], fields[10], fields[11] = s[BAN_FROM], s[BAN_UNTIL], s[BAN_LEVEL], s[BAN_MANUAL]
  end
  if m then fields[#fields + 1] = m[M_USED] end
  return fields
end

-- Builds the reply after the deadline. The caller has given up, so nothing is decided or charged.
local function tooLate(now)
  return { -1, now }
end
