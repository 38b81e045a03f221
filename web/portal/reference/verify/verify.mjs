import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

// The body as it came, a Buffer: parsed and printed again, it may not be the same.
export function verify(body, headers) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  // Somebody may have recorded what is older than 5 minutes, and send it again.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  // There are two while one secret replaces the other.
  return headers['webhook-signature']
    .split(' ')
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
