-- What is pending, then entries of the audit log, newest first: {pending, id, entry, id, entry, ...}, where ids begin
-- with the sequence.
-- KEYS: pending, the log, the index to follow (a sorted set, a stream, or the log itself). ARGV: the kind of index, the highest
-- and the lowest sequence, the most entries.
local pending, log, index = unpack(KEYS)
local kind, highest, lowest, most = unpack(ARGV)
local found = { redis.call('GET', pending) or '' }
local function add(entries)
  for _, entry in ipairs(entries) do
    found[#found + 1] = entry[1]
    found[#found + 1] = entry[2][2]
  end
end
if kind == 'log' then
  add(redis.call('XREVRANGE', log, highest, lowest, 'COUNT', most))
elseif kind == 'stream' then
  for _, entry in ipairs(redis.call('XREVRANGE', index, highest, lowest, 'COUNT', most)) do
    add(redis.call('XRANGE', log, entry[1], entry[1]))
  end
else
  for _, sequence in ipairs(redis.call('ZREVRANGEBYSCORE', index, highest, lowest, 'LIMIT', 0, most)) do
    add(redis.call('XRANGE', log, sequence, sequence))
  end
end
return found
