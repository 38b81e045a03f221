import { expect, test } from '@jest/globals';
import { formatKeyPreview } from './key-preview.ts';

test('a key is recognized by its secret, and a caller with access tokens by its name', () => {
  const secret = { prefix: 'tg_live_4fQz', lastFour: 'b7Xk' };
  expect(formatKeyPreview(secret)).toBe('tg_live_4fQz…b7Xk');
  expect(formatKeyPreview({ ...secret, token: null })).toBe('tg_live_4fQz…b7Xk');
  expect(formatKeyPreview({ prefix: '', lastFour: '', token: { name: 'corp', caller: 'app-1' } })).toBe('corp:app-1');
});
