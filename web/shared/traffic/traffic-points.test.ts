import { expect, test } from '@jest/globals';
import { createTrafficPoints } from './traffic-points.ts';

const figures = { units: 7, p50Ms: 1, p95Ms: 8, p99Ms: 9 };
const history = {
  from: '2026-06-15T10:20:00Z',
  to: '2026-06-15T13:20:00Z',
  every: 'hour' as const,
  countedSince: '2026-06-01T00:00:00Z',
  others: null,
  series: [
    {
      group: null,
      totals: { requests: 10, refused: 3, errors: 1, clientErrors: 2, ...figures },
      points: [{ at: '2026-06-15T11:00:00Z', requests: 10, refused: 3, errors: 1, clientErrors: 2, ...figures }],
    },
  ],
};

test('an interval without requests is zero, and has no duration', () => {
  const points = createTrafficPoints(history, Date.parse('2026-06-15T13:20:00Z'));
  expect(points.at.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['10:00', '11:00', '12:00', '13:00']);
  expect(points).toMatchObject({
    requests: [0, 10, 0, 0],
    units: [0, 7, 0, 0],
    served: [0, 4, 0, 0],
    clientErrors: [0, 2, 0, 0],
    refused: [0, 3, 0, 0],
    errors: [0, 1, 0, 0],
    p50Ms: [null, 1, null, null],
    p95Ms: [null, 8, null, null],
    lastIsRunning: true,
  });
});

test('only the current interval is incomplete', () => {
  expect(createTrafficPoints(history, Date.parse('2026-06-15T15:00:00Z')).lastIsRunning).toBe(false);
});

test('an empty history is all zeros', () => {
  expect(createTrafficPoints({ ...history, series: [] }, 0).served).toEqual([0, 0, 0, 0]);
});

// A zero would claim that there were no requests, but the gateway did not count yet.
test("intervals before the gateway's first count have no values", () => {
  const young = { ...history, countedSince: '2026-06-15T11:41:00Z' };
  expect(createTrafficPoints(young, 0).requests).toEqual([null, 10, 0, 0]);
  expect(createTrafficPoints({ ...history, series: [], countedSince: null }, 0).served).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
