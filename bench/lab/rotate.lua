-- Uses the keys in the file KEYS in turn. All lines have the same length, and are read when they are needed, so that a
-- million keys cost the generator no more memory or time than ten. The first request uses line FROM (from 0) of COUNT.
-- The first line follows the last.
dofile(os.getenv('REPORT'))

local keys, count, at = io.open(os.getenv('KEYS')), tonumber(os.getenv('COUNT')), tonumber(os.getenv('FROM'))
local before, after

init = function()
  -- The request is formatted only once, with a placeholder. Each request is then a concatenation of three strings.
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
