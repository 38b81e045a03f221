import base64
import hashlib
import hmac
import os
import time

secret = base64.b64decode(os.environ['WEBHOOK_SECRET'].removeprefix('whsec_'))


# The body as it came, as bytes: parsed and printed again, it may not be the same.
def verify(body, headers):
    message_id = headers['webhook-id']
    timestamp = headers['webhook-timestamp']
    # Somebody may have recorded what is older than 5 minutes, and send it again.
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f'{message_id}.{timestamp}.'.encode() + body
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    expected = b'v1,' + base64.b64encode(digest)
    # There are two while one secret replaces the other.
    given = headers['webhook-signature'].encode().split(b' ')
    return any(hmac.compare_digest(each, expected) for each in given)
