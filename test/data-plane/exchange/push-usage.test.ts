import { expect, test } from '@jest/globals';
import { pushIetfHeaders, pushXRateLimitHeaders } from '../../../src/http/rate-limit-headers.ts';
import { type MonthBounds, findMonth } from '../../../src/base/time.ts';
import type { Usage } from '../../../src/data-plane/admission/quota-usage.ts';
import type { Exchange } from '../../../src/data-plane/exchange/exchange.ts';
import { createPushUsageHeaders } from '../../../src/data-plane/exchange/push-usage.ts';

const usage: Usage = {
  now: 1_767_700_000_500,
  minute: { limit: 60, used: 1, remaining: 59, resetAt: 1_767_700_042_001 },
  day: { limit: 1000, used: 1, remaining: 999, resetAt: 1_767_703_600_500 },
  binding: 'minute',
  ban: null,
};

test('the X-RateLimit headers describe a window, with its reset in Unix seconds rounded up', () => {
  const headers = ['X-Request-Id', 'a'];
  pushXRateLimitHeaders(headers, usage.minute);
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
});

test.each([
  ['minute', '60'],
  ['day', '1000'],
  ['month', '5000'],
] as const)('the X-RateLimit headers of a key report its binding window: %s', (binding, limit) => {
  const exchange = { headers: [] as string[] };
  const month = { limit: 5000, used: 1, remaining: 4999, resetAt: 1_769_904_000_000, startsAt: 1_767_225_600_000 };
  createPushUsageHeaders(false)(exchange as unknown as Exchange, { ...usage, month, binding });
  expect(exchange.headers.slice(0, 2)).toEqual(['X-RateLimit-Limit', limit]);
  expect(exchange.headers).toHaveLength(6);
});

test('the IETF fields report the month and its length', () => {
  const month = { limit: 5000, used: 10, remaining: 4990 };
  const findItems = (name: string, now: number, { start, end }: MonthBounds) => {
    const headers: string[] = [];
    pushIetfHeaders(headers, { ...usage, now, month: { ...month, startsAt: start, resetAt: end } });
    return headers.map((value) => value.split(', ').find((item) => item.startsWith(name))).filter(Boolean);
  };
  const november = Date.UTC(2026, 10, 23);
  expect(findItems('"month"', november, findMonth(november))).toEqual([
    '"month";q=5000;w=2592000',
    `"month";r=4990;t=${8 * 86_400}`,
  ]);
  const leap = Date.UTC(2028, 1, 29, 23, 59, 59, 1);
  expect(findItems('"month"', leap, findMonth(leap))).toEqual(['"month";q=5000;w=2505600', '"month";r=4990;t=1']);
});

test('the IETF fields report both windows, with the time left in seconds rounded up', () => {
  const headers: string[] = [];
  pushIetfHeaders(headers, usage);
  expect(headers).toEqual([
    'RateLimit-Policy',
    '"minute";q=60;w=60, "day";q=1000;w=86400',
    'RateLimit',
    '"minute";r=59;t=42, "day";r=999;t=3600',
  ]);
});
