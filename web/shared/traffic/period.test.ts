import { expect, test } from '@jest/globals';
import { INTERVAL_MS, type Period, readPeriod, PERIODS, chooseResolution, findTimes } from './period.ts';

const TO = '2026-06-15T12:00:00.000Z';
const custom = (days: number) =>
  readPeriod({ from: new Date(Date.parse(TO) - days * 86_400_000).toISOString(), to: TO, period: '1h' });
const EACH: readonly Period[] = [
  ...Object.keys(PERIODS).map((period) => readPeriod({ period })),
  custom(40),
  custom(730),
];

// The API refuses a response with more than 3,000 points, so a screen that requests one would show nothing.
test.each(EACH.flatMap((period) => [1, 6, 10, 100].map((series) => [period.words, series, period] as const)))(
  '%s, %d series fit into a response',
  (_, series, period) => {
    const { every, maxSeries } = chooseResolution(period, series);
    if (period.name !== undefined) expect(maxSeries).toBeGreaterThanOrEqual(Math.min(series, 30));
    expect(maxSeries).toBeGreaterThan(0);
    // Without a fixed interval, the API chooses days if nothing finer fits.
    expect(maxSeries * (period.lengthMs / INTERVAL_MS[every ?? 'day'] + 2)).toBeLessThanOrEqual(3000);
  },
);

test('a single series has the finest intervals that the period allows', () => {
  expect(chooseResolution(readPeriod({ period: '7d' }), 1)).toEqual({ every: '6h', maxSeries: 1 });
});

test.each([
  ['7d', '7d'],
  ['14d', '14d'],
  [undefined, '24h'],
  ['toString', '24h'],
])('%s in the address is %s', (period, name) => {
  expect(readPeriod(period === undefined ? {} : { period }).name).toBe(name);
});

test('two times in the address are the period, in the intervals that the API chooses', () => {
  const period = custom(2);
  expect(period).toMatchObject({ name: undefined, lengthMs: 2 * 86_400_000, every: undefined });
  expect(findTimes(period)).toEqual({ from: '2026-06-13T12:00:00.000Z', to: TO });
});

test.each([
  [{ from: TO, to: TO }],
  [{ from: TO, to: '2026-06-14T12:00:00Z' }],
  [{ from: 'yesterday', to: TO }],
  [{ from: TO }],
])('%j is no period', (search) => {
  expect(readPeriod(search).name).toBe('24h');
});

test('today begins at midnight UTC', () => {
  const period = readPeriod({ period: 'today' });
  expect(period.words).toBe('today (UTC)');
  expect(findTimes(period)).toEqual({ from: expect.stringMatching(/T00:00:00\.000Z$/), every: 'hour' });
});
