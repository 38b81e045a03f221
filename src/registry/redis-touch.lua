-- Notes when keys were last used, never moving a time back. KEYS: records; ARGV: a time each, as 16 digits.
for i, record in ipairs(KEYS) do
  local used = redis.call('GETRANGE', record, 16, 31)
  if used ~= '' and tonumber(used) < tonumber(ARGV[i]) then
    redis.call('SETRANGE', record, 16, ARGV[i])
  end
end
