-- Lets all keys of a batch be there: by no longer calling its lots pending. Returns 'done', or 'gone' if the batch was
-- given up meanwhile.
-- KEYS: pending, changes. ARGV: the batch, how many lots it has, the channel, the head of the announcement, its text.
local batch, lots, channel, head, text = unpack(ARGV)
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local kept, own = {}, 0
for token in (redis.call('GET', KEYS[1]) or ''):gmatch('%S+') do
  if token:sub(1, #batch) ~= batch then
    kept[#kept + 1] = token
  elseif tonumber(token:match('%d+$')) > now then
    own = own + 1
  end
end
if own ~= tonumber(lots) then
  return 'gone'
end
local change = string.format('%.0f', redis.call('INCR', KEYS[2]))
redis.call('SET', KEYS[1], table.concat(kept, ' '))
redis.call('PUBLISH', channel, head .. ' ' .. change .. ' ' .. text)
return 'done'
