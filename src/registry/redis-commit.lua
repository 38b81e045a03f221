-- One change of the registry: nothing of it unless all that it was based on still holds. Returns {'done', number of its
-- first entry, number of its announcement}, or why not: {'changed'}, {'taken'}, {'used'}.
--
-- Every key it touches is in KEYS: on a cluster that is resharding, a script that reached for others could be stopped in
-- the middle, and Redis undoes nothing. For the same reason all types are checked first. Records and entries are opaque.
--
-- KEYS: sequence, changes, plans, ids, audit, its times, its skew; then what ARGV refers to by number.
-- ARGV: the type of each key (one letter), the channel, the head of the announcement; then sections, each with the
-- number of its items first.
local SEQUENCE, CHANGES, PLANS, IDS, AUDIT, TIMES, SKEW = unpack(KEYS, 1, 7)
local TYPES = { s = 'string', h = 'hash', z = 'zset', x = 'stream' }
local WIDTH = 16

local taken = 0
local function text()
  taken = taken + 1
  return ARGV[taken]
end
local function number()
  return tonumber(text())
end
local function key()
  return KEYS[number()]
end
-- Digits of a whole number: what Lua would make of it itself loses those after the fourteenth.
local function digits(n)
  return string.format('%.0f', n)
end

local types = text()
local channel, head = text(), text()
local exists = {}
for i, name in ipairs(KEYS) do
  local found, wanted = redis.call('TYPE', name).ok, TYPES[types:sub(i, i)]
  if found ~= 'none' and found ~= wanted then
    return redis.error_reply('WRONGTYPE a ' .. found .. ' where the registry keeps a ' .. wanted)
  end
  exists[name] = found ~= 'none'
end

-- Section: what must hold.
local guards = {
  absent = function()
    return not exists[key()] or 'taken'
  end,
  unclaimed = function()
    return not exists[key()] or 'changed'
  end,
  newId = function()
    return redis.call('HEXISTS', IDS, text()) == 0 or 'taken'
  end,
  record = function()
    return redis.call('GETRANGE', key(), 0, WIDTH - 1) == text() or 'changed'
  end,
  plan = function()
    local plan = redis.call('HGET', PLANS, text()) or ''
    return plan:sub(1, WIDTH) == text() or 'changed'
  end,
  noPlans = function()
    return not exists[PLANS] or 'changed'
  end,
  unused = function()
    return not exists[key()] or 'used'
  end,
}
for _ = 1, number() do
  local held = guards[text()]()
  if held ~= true then
    return { held }
  end
end

-- Section: audit entries. First of what is written, because adding to a stream is what can still be refused.
local entries = number()
local first = redis.call('GET', SEQUENCE)
first = (first and tonumber(first) or 0) + 1
local newest = redis.call('XREVRANGE', TIMES, '+', '-', 'COUNT', 1)[1]
local time = newest and tonumber(newest[1]:match('^%d+')) or 0
local skew = tonumber(redis.call('GET', SKEW) or 0)
local behind = skew
for i = 1, entries do
  local sequence = digits(first + i - 1)
  local id = sequence .. '-0'
  local entry, at, ofActor, ofAction, ofSubject = text(), number(), key(), key(), key()
  time = math.max(time, at)
  behind = math.max(behind, time - at)
  redis.call('XADD', AUDIT, id, 'entry', entry)
  redis.call('XADD', TIMES, digits(time) .. '-' .. sequence, '', '')
  redis.call('XADD', ofActor, id, '', '')
  redis.call('XADD', ofAction, id, '', '')
  redis.call('ZADD', ofSubject, sequence, sequence)
end
if entries > 0 then
  redis.call('SET', SEQUENCE, digits(first + entries - 1))
end
if behind > skew then
  redis.call('SET', SKEW, digits(behind))
end

local function revision(entry)
  return string.format('%016.0f', first + entry - 1)
end

-- Section: claims.
for _ = 1, number() do
  redis.call('SET', key(), text())
end

-- Section: plans, put by an entry or removed (0).
for _ = 1, number() do
  local id, entry, json = text(), number(), text()
  if entry == 0 then
    redis.call('HDEL', PLANS, id)
  else
    redis.call('HSET', PLANS, id, revision(entry) .. json)
  end
end

-- Section: keys, new ones (with an id) or changed ones, and the indexes they join and leave.
for _ = 1, number() do
  local record, entry, json, hash, id = key(), number(), text(), text(), text()
  local used, position
  if id ~= '' then
    used, position = string.rep('0', WIDTH), revision(entry)
    redis.call('HSET', IDS, id, hash)
  else
    local kept = redis.call('GETRANGE', record, WIDTH, 3 * WIDTH - 1)
    used, position = kept:sub(1, WIDTH), kept:sub(WIDTH + 1)
  end
  redis.call('SET', record, revision(entry) .. used .. position .. json)
  for _ = 1, number() do
    redis.call('ZADD', key(), position, hash)
  end
  for _ = 1, number() do
    redis.call('ZREM', key(), hash)
  end
end

-- Section: the batch that the keys belong to, if they are not to be there yet.
for _ = 1, number() do
  local pending, batch, lease = key(), text(), number()
  local before = redis.call('GET', pending)
  local lot = { batch, digits(first), digits(first + entries - 1), digits(redis.call('TIME')[1] * 1000 + lease) }
  redis.call('SET', pending, (before and before .. ' ' or '') .. table.concat(lot, ':'))
end

-- Section: what to announce.
local announced = ''
for _ = 1, number() do
  announced = digits(redis.call('INCR', CHANGES))
  redis.call('PUBLISH', channel, head .. ' ' .. announced .. ' ' .. text())
end

return { 'done', digits(first), announced }
