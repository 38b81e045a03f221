import { expect, test } from '@jest/globals';
import {
  computeNextDelay,
  parseRetryAfter,
  RETRY_DELAYS,
  defaultSchedule,
} from '../../../../src/control-plane/webhooks/retry-schedule.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const [SECOND, DAY] = [1000, 86_400_000];
const exact = { delays: RETRY_DELAYS, random: () => 0.5 };

test('an event is sent immediately and retried nine times over three days', () => {
  const waits = Array.from({ length: 10 }, (_, index) => computeNextDelay(exact, index + 1, null));
  expect(waits).toEqual([...RETRY_DELAYS, null]);
  expect(RETRY_DELAYS.map((ms) => ms / SECOND)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
});

test('deliveries that failed together are retried up to 10% earlier or later than scheduled, at different times', () => {
  const waits = Array.from({ length: 1000 }, () => computeNextDelay(defaultSchedule, 1, null)!);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(4500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(5500);
  expect(new Set(waits).size).toBeGreaterThan(100);
  expect(computeNextDelay({ ...exact, random: () => 0 }, 1, null)).toBe(4500);
  expect(computeNextDelay({ ...exact, random: () => 1 }, 1, null)).toBe(5500);
});

test('a receiver is not called earlier than its Retry-After asks for', () => {
  expect(computeNextDelay(exact, 1, 60_000)).toBe(60_000);
  expect(computeNextDelay(exact, 2, 60_000)).toBe(300_000);
  expect(computeNextDelay(exact, 10, 60_000)).toBeNull();
});

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7000],
  ['999999', DAY],
  ['9999999999', DAY],
  ['Mon, 15 Jun 2026 12:01:00 GMT', 60_000],
  ['Mon, 15 Jun 2026 11:00:00 GMT', 0],
  ['Tue, 15 Jun 2027 12:00:00 GMT', DAY],
  ['soon', null],
  ['', null],
])('Retry-After: %j is parsed as %j milliseconds', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});

test('a missing or repeated Retry-After is ignored', () => {
  expect(parseRetryAfter(undefined, NOW)).toBeNull();
  expect(parseRetryAfter(['1', '2'], NOW)).toBeNull();
});
