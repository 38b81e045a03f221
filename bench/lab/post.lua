-- Sends the same body of BYTES bytes in every request.
dofile(os.getenv('REPORT'))

wrk.method = 'POST'
wrk.body = string.rep('x', tonumber(os.getenv('BYTES')))
wrk.headers['Content-Type'] = 'application/octet-stream'
