#!/bin/sh
# Each request is a process of its own, as in a script.
call() {
  if curl --fail --silent --show-error --output /dev/null --retry 5 -H "X-API-Key: $API_KEY" "$API_URL/models"; then
    echo served
  else
    echo failed
  fi
}

request=0
while [ "$request" -lt "$AT_ONCE" ]; do
  call &
  request=$((request + 1))
done
wait
