import { expect, test } from '@jest/globals';
import { retryAfterSeconds } from '../../src/http/retry-after.ts';

test.each([
  [60_000, '60'],
  [59_001, '60'],
  [1001, '2'],
  [1000, '1'],
  [1, '1'],
  [0, '1'],
])('Retry-After for %d ms is %s', (waitMs, expected) => {
  expect(retryAfterSeconds(waitMs)).toBe(expected);
});
