-- Another key in every request, from the file that KEYS names: a line each, from the first to the last and again.
dofile(os.getenv('REPORT'))

local requests, count, at = {}, 0, 0

init = function()
  for key in io.lines(os.getenv('KEYS')) do
    count = count + 1
    requests[count] = wrk.format('GET', nil, { ['X-API-Key'] = key })
  end
end

request = function()
  at = at % count + 1
  return requests[at]
end
