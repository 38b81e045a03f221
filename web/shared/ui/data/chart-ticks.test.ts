import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../format/durations.ts';
import { createTimeTicks, createValueTicks } from './chart-ticks.ts';

const FIRST = new Date(2026, 5, 15, 13).getTime();
const intervals = (count: number, stepMs: number, first = FIRST) =>
  Array.from({ length: count }, (_, index) => first + index * stepMs);
const labels = (at: number[], stepMs: number) => createTimeTicks(at, stepMs).map(({ label }) => label);

test('ticks are at round times, as many as fit, and midnight is the day', () => {
  expect(labels(intervals(61, MINUTE_MS), MINUTE_MS)).toEqual(['13:00', '13:10', '13:20', '13:30', '13:40', '13:50', '14:00']);
  expect(labels(intervals(25, HOUR_MS), HOUR_MS)).toEqual(['16:00', '20:00', '16 Jun', '04:00', '08:00', '12:00']);
  expect(labels(intervals(169, HOUR_MS), HOUR_MS)).toHaveLength(7);
});

test('a day is that of UTC', () => {
  const at = intervals(15, DAY_MS, Date.UTC(2026, 5, 1));
  expect(createTimeTicks(at, DAY_MS).map(({ index, label }) => [index + 1, label])).toEqual(
    createTimeTicks(at, DAY_MS).map(({ index }) => [index + 1, `${index + 1} Jun`]),
  );
  expect(createTimeTicks(at, DAY_MS).length).toBeGreaterThan(3);
});

test('intervals of six hours are those of UTC, and have ticks at its days', () => {
  const at = intervals(29, 6 * HOUR_MS, Date.UTC(2026, 5, 1, 12));
  expect(createTimeTicks(at, 6 * HOUR_MS).map(({ index, label }) => [index, label])).toEqual(
    Array.from({ length: 7 }, (_, day) => [2 + 4 * day, `${day + 2} Jun`]),
  );
});

test.each([1, 7, 31, 91, 731])('%d days have at most 7 ticks', (days) => {
  const ticks = createTimeTicks(intervals(days, DAY_MS, Date.UTC(2026, 5, 1)), DAY_MS);
  expect(ticks.length).toBeLessThanOrEqual(7);
  if (days > 1) expect(ticks.length).toBeGreaterThan(1);
});

test.each([
  [0, true, [0]],
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [137, true, [0, 50, 100, 150]],
  [0.4, false, [0, 0.1, 0.2, 0.30000000000000004, 0.4]],
])('up to %d (whole: %p), there are lines at %j', (max, areWhole, ticks) => {
  expect(createValueTicks(max, areWhole)).toEqual(ticks);
});
