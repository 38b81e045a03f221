import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { generateSigningSecret, createSignature } from '../../../../src/control-plane/webhooks/signature.ts';

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

test('the signature of a webhook request matches the example in the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = { id, timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(createSignature([secret], message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('signing secrets are unique and consist of whsec_ and 32 bytes', () => {
  const secrets = Array.from({ length: 100 }, generateSigningSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret.slice(0, 6)).toBe('whsec_');
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
});

describe('the receiver can verify a webhook request', () => {
  const [old, present, other] = [generateSigningSecret(), generateSigningSecret(), generateSigningSecret()];
  const timestamp = Math.floor(Date.now() / 1000);
  const body = '{"type":"order.created","data":{"id":9007199254740993}}';
  const headers = (secrets: readonly string[], at = timestamp) => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': createSignature(secrets, { id, timestamp: at, body }),
  });

  test('with the secret of its webhook, but not with another secret, another body or after ten minutes', () => {
    expect(new Webhook(present).verify(body, headers([present]))).toMatchObject({ type: 'order.created' });
    expect(() => new Webhook(other).verify(body, headers([present]))).toThrow('No matching signature');
    expect(() => new Webhook(present).verify(`${body} `, headers([present]))).toThrow('No matching signature');
    expect(() => new Webhook(present).verify(body, headers([present], timestamp - 600))).toThrow('too old');
  });

  test('with both the old and the new secret while one replaces the other', () => {
    for (const secret of [present, old]) new Webhook(secret).verify(body, headers([present, old]));
    expect(headers([present, old])['webhook-signature'].split(' ')).toHaveLength(2);
    expect(() => new Webhook(other).verify(body, headers([present, old]))).toThrow('No matching signature');
  });
});
