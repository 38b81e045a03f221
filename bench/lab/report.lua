-- Prints the counts of wrk as JSON on one line.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'REPORT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    e.status, e.connect + e.read + e.write + e.timeout
  ))
end
