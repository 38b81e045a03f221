-- Another key in every request, from the file that KEYS names: lines of one length, read as they are needed, so that a
-- million keys cost the generator no more memory or time than ten. It begins at line FROM (0 for the first) of COUNT,
-- and after the last comes the first again.
dofile(os.getenv('REPORT'))

local keys, count, at = io.open(os.getenv('KEYS')), tonumber(os.getenv('COUNT')), tonumber(os.getenv('FROM'))
local before, after

init = function()
  -- Made once, with a placeholder: a request is then three strings put together.
  local template = wrk.format('GET', nil, { ['Host'] = wrk.headers['Host'], ['X-API-Key'] = '@KEY@' })
  local from, to = template:find('@KEY@', 1, true)
  before, after = template:sub(1, from - 1), template:sub(to + 1)
  keys:setvbuf('full', 65536)
  local width = #keys:read('*l') + 1
  keys:seek('set', at * width)
end

request = function()
  if at == count then
    keys:seek('set', 0)
    at = 0
  end
  at = at + 1
  return before .. keys:read('*l') .. after
end
