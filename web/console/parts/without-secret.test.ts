import { expect, test } from '@jest/globals';
import { withoutSecret } from './without-secret.ts';

test('a secret is reduced to the prefix that finds its key; other texts stay as they are', () => {
  expect(withoutSecret(` tg_live_Ab1z${'x'.repeat(34)}\n`)).toBe('tg_live_Ab1z');
  for (const text of ['tg_live_Ab1z', 'Shop backend', 'key_tg_live_Ab1zxxx', 'tg_live_Ab1zxxx of acme', '']) {
    expect(withoutSecret(text)).toBe(text);
  }
});
