-- Another path in every request, from the file that PATHS names: a line each, all of them read at the start.
dofile(os.getenv('REPORT'))

local requests, count, at = {}, 0, 0

init = function()
  for path in io.lines(os.getenv('PATHS')) do
    count = count + 1
    requests[count] = wrk.format('GET', path)
  end
end

request = function()
  at = at % count + 1
  return requests[at]
end
