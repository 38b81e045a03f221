-- Requests the paths in the file PATHS in turn. The file has one path per line, and is read at the start.
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
