-- The newest members of several sorted sets together, as of one moment: {member, score, member, score, ...}.
-- ARGV: the highest score (as ZREVRANGEBYSCORE takes it), the most members.
local found = {}
for _, set in ipairs(KEYS) do
  local some = redis.call('ZREVRANGEBYSCORE', set, ARGV[1], '-inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
  for i = 1, #some, 2 do
    found[#found + 1] = { some[i], some[i + 1], tonumber(some[i + 1]) }
  end
end
table.sort(found, function(a, b)
  return a[3] > b[3]
end)
local newest = {}
for i = 1, math.min(#found, tonumber(ARGV[2])) do
  newest[#newest + 1] = found[i][1]
  newest[#newest + 1] = found[i][2]
end
return newest
