import { expect, test } from '@jest/globals';
import { periodFrom, PERIODS, type Period, resolutionFor } from './period.ts';

const STEPS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

// The API refuses a response with more than 3,000 points; a screen that requests one shows nothing.
test.each(
  (Object.keys(PERIODS) as Period[]).flatMap((period) => [1, 6, 10, 100].map((series) => [period, series] as const)),
)('the last %s of %d series fit into a response', (period, series) => {
  const { every, maxSeries } = resolutionFor(period, series);
  expect(maxSeries).toBeGreaterThanOrEqual(Math.min(series, 30));
  expect(maxSeries * (PERIODS[period].lengthMs / STEPS_MS[every] + 2)).toBeLessThanOrEqual(3000);
});

test('a single series has the finest intervals that the period allows', () => {
  expect(resolutionFor('7d', 1)).toEqual({ every: 'hour', maxSeries: 1 });
});

test.each([
  ['7d', '7d'],
  [undefined, '24h'],
  ['toString', '24h'],
])('%s in the address is %s', (text, period) => {
  expect(periodFrom(text)).toBe(period);
});
