import { expect, test } from '@jest/globals';
import { formatShortDuration, formatExactTime, formatRelativeTime, formatLongDuration, formatUtcTime } from './time.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');

test.each([
  [0, 'just now'],
  [9000, 'now'],
  [-42_000, '42 seconds ago'],
  [-90_000, '1 minute ago'],
  [3 * 3_600_000, 'in 3 hours'],
  [-86_400_000, '1 day ago'],
  [-40 * 86_400_000, '6 May 2026'],
])('%d ms from now is %s', (distanceMs, words) => {
  expect(formatRelativeTime(NOW + distanceMs, NOW)).toBe(words);
});

test.each([
  [0, '0 s'],
  [42_400, '42 s'],
  [180_000, '3 min'],
  [3_900_000, '1 h 5 min'],
  [3_605_000, '1 h'],
  [187_200_000, '2 d 4 h'],
])('%d ms last %s', (ms, words) => {
  expect(formatShortDuration(ms)).toBe(words);
});

test.each([
  [300_000, '5 minutes'],
  [3_600_000, '1 hour'],
  [7 * 86_400_000, '7 days'],
  [90_000, '90 seconds'],
])('%d ms are %s in words', (ms, words) => {
  expect(formatLongDuration(ms)).toBe(words);
});

test('the exact time also has UTC', () => {
  expect(formatExactTime(NOW)).toContain('2026-06-15 12:00:00 UTC');
});

test('a time of UTC has its day only if that differs', () => {
  expect(formatUtcTime('2026-11-25T10:00:31.250Z', '2026-11-25T23:59:59.000Z')).toBe('10:00:31');
  expect(formatUtcTime('2026-11-26T00:00:00.000Z', '2026-11-25T10:00:31.250Z')).toBe('26 Nov 2026 00:00:00');
});
