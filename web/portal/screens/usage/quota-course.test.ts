import { expect, test } from '@jest/globals';
import { courseByHour, createCourse } from './quota-course.ts';

const figures = { requests: 1, refused: 0, errors: 0, clientErrors: 0, p50Ms: 1, p95Ms: 1, p99Ms: 1 };
const seriesOf = (group: string | null, unitsByHour: Readonly<Record<string, number>>) => {
  const points = Object.entries(unitsByHour).map(([hour, units]) => ({
    at: `2026-11-25T${hour}:00:00.000Z`,
    units,
    ...figures,
  }));
  return { group, totals: { units: 0, ...figures }, points };
};
const history = {
  from: '2026-11-25T00:00:00.000Z',
  to: '2026-11-25T03:00:00.000Z',
  every: 'hour' as const,
  countedSince: null,
  series: [seriesOf('key_a', { '00': 3, '02': 5 }), seriesOf('key_b', { '02': 2 }), seriesOf('key_c', { '01': 100 })],
  others: null,
};
const nowMs = Date.parse('2026-11-25T02:30:00.000Z');
const hours = createCourse(history, (key) => key !== 'key_c', nowMs);

test('the units of the keys of a quota are added up from hour to hour', () => {
  expect(hours.map(({ units, total }) => [units, total])).toEqual([
    [3, 3],
    [0, 3],
    [7, 10],
  ]);
});

test('hours that have not begun are empty', () => {
  const { at, used } = courseByHour(hours);
  expect(at).toHaveLength(24);
  expect(new Date(at[23] ?? 0).toISOString()).toBe('2026-11-25T23:00:00.000Z');
  expect(used.slice(0, 4)).toEqual([3, 3, 10, null]);
  expect(used[23]).toBeNull();
});

test('a day in which nothing was called is zero up to now', () => {
  expect(courseByHour(createCourse({ ...history, series: [] }, () => true, nowMs)).used.slice(0, 4)).toEqual([
    0,
    0,
    0,
    null,
  ]);
});
