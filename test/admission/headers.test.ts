import { describe, expect, test } from '@jest/globals';
import type { Usage } from '../../src/admission/usage.ts';
import { pushIetf, pushLegacy, retryAfter } from '../../src/admission/headers.ts';

const usage: Usage = {
  now: 1_767_700_000_500,
  minute: { limit: 60, used: 1, remaining: 59, resetAt: 1_767_700_042_001 },
  day: { limit: 1000, used: 1, remaining: 999, resetAt: 1_767_703_600_500 },
  binding: 'minute',
  ban: null,
};

test('the trio reports the binding window, its reset in Unix seconds rounded up', () => {
  const headers = ['X-Request-Id', 'a'];
  pushLegacy(headers, usage);
  expect(headers).toEqual([
    'X-Request-Id',
    'a',
    'X-RateLimit-Limit',
    '60',
    'X-RateLimit-Remaining',
    '59',
    'X-RateLimit-Reset',
    '1767700043',
  ]);

  const ofDay: string[] = [];
  pushLegacy(ofDay, { ...usage, binding: 'day' });
  expect(ofDay).toEqual([
    'X-RateLimit-Limit',
    '1000',
    'X-RateLimit-Remaining',
    '999',
    'X-RateLimit-Reset',
    '1767703601',
  ]);
});

test('the IETF fields report both windows, their time left in seconds rounded up', () => {
  const headers: string[] = [];
  pushIetf(headers, usage);
  expect(headers).toEqual([
    'RateLimit-Policy',
    '"minute";q=60;w=60, "day";q=1000;w=86400',
    'RateLimit',
    '"minute";r=59;t=42, "day";r=999;t=3600',
  ]);
});

describe('Retry-After', () => {
  test.each([
    [60_000, '60'],
    [59_001, '60'],
    [1001, '2'],
    [1000, '1'],
    [1, '1'],
    [0, '1'],
  ])('for %d ms is %s', (left, expected) => {
    expect(retryAfter({ now: usage.now, retryAt: usage.now + left })).toBe(expected);
  });
});
