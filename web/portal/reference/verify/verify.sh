# The headers in WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE, the body as it came in the file body.json.
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
digest=$({ printf %s.%s. "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" && cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
now=$(date +%s)

# Somebody may have recorded what is older than 5 minutes, and send it again.
[ "$WEBHOOK_TIMESTAMP" -gt $((now - 300)) ] && [ "$WEBHOOK_TIMESTAMP" -lt $((now + 300)) ] || exit 1

# There are two signatures while one secret replaces the other.
case " $WEBHOOK_SIGNATURE " in
  *" v1,$digest "*) echo verified ;;
  *) exit 1 ;;
esac
