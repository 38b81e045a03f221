import { expect, test } from '@jest/globals';
import { formatChange, compareHistories, findPreviousTimes, formatShareChange, formatTimes } from './comparison.ts';
import { readPeriod } from './period.ts';
import type { UsageHistory, UsagePoint } from './usage-history.ts';

const figures = { units: 0, refused: 0, errors: 0, clientErrors: 0, p50Ms: 1, p95Ms: 8, p99Ms: 9 };
const history = (from: string, to: string, requests: Record<string, number>, over: Partial<UsageHistory> = {}) => {
  const points = Object.entries(requests).map(([at, count]): UsagePoint => ({ at, ...figures, requests: count }));
  const total = points.reduce((sum, point) => sum + point.requests, 0);
  const series = [{ group: null, totals: { ...figures, requests: total }, points }];
  const countedSince = '2026-06-01T00:00:00Z';
  return { from, to, every: 'hour', countedSince, others: null, series, ...over } satisfies UsageHistory;
};

const NOW = Date.parse('2026-06-15T13:20:00Z');
const shown = history('2026-06-15T11:00:00Z', '2026-06-15T14:00:00Z', {
  '2026-06-15T11:00:00Z': 10,
  '2026-06-15T12:00:00Z': 20,
  '2026-06-15T13:00:00Z': 99,
});
const before = { previousMs: undefined };
const times = findPreviousTimes(shown, NOW, before) ?? { from: '', to: '', every: 'hour' as const };

test('completed intervals are compared with the same time before, and the current one with nothing', () => {
  expect(times).toEqual({ from: '2026-06-15T09:00:00.000Z', to: '2026-06-15T11:00:00.000Z', every: 'hour' });
  const previous = history(times.from, times.to, { '2026-06-15T10:00:00Z': 15 });
  expect(compareHistories(shown, previous, times)).toEqual({
    requests: [0, 15, null],
    p95Ms: [null, 8, null],
    totals: { before: expect.objectContaining({ requests: 15 }), now: expect.objectContaining({ requests: 30 }) },
    knownFrom: null,
  });
});

test('today is compared with the same hours of the day before', () => {
  const today = history('2026-06-15T00:00:00Z', '2026-06-15T14:00:00Z', {
    '2026-06-15T01:00:00Z': 10,
    '2026-06-15T12:00:00Z': 20,
    '2026-06-15T13:00:00Z': 99,
  });
  const yesterday = findPreviousTimes(today, NOW, readPeriod({ period: 'today' }))!;
  expect(yesterday).toEqual({ from: '2026-06-14T00:00:00.000Z', to: '2026-06-14T13:00:00.000Z', every: 'hour' });
  const previous = history(yesterday.from, yesterday.to, { '2026-06-14T01:00:00Z': 4, '2026-06-14T12:00:00Z': 5 });
  const { requests, totals } = compareHistories(today, previous, yesterday);
  expect(requests).toEqual([0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, null]);
  expect(totals).toMatchObject({ before: { requests: 9 }, now: { requests: 30 } });
});

test('nothing is compared while no interval is over', () => {
  expect(findPreviousTimes(shown, Date.parse('2026-06-15T11:20:00Z'), before)).toBeNull();
});

// A total over only a part of the previous period would mislead, so there is none.
test.each([
  ['the gateway counted nothing before', times.from, { countedSince: '2026-06-15T10:05:00Z' }],
  ['older counts are deleted', '2026-06-15T10:00:00.000Z', {}],
])('there are no totals if %s', (_, from, over) => {
  const previous = history(from, times.to, { '2026-06-15T10:00:00Z': 15 }, over);
  const { totals, requests, knownFrom } = compareHistories(shown, previous, times);
  expect(totals).toBeNull();
  expect(requests).toEqual([null, 15, null]);
  expect(knownFrom).toMatch(/^2026-06-15T10:0\d:00.000Z$/);
});

test('without any stored counts, there are no values to compare', () => {
  const previous = history(times.from, times.to, {}, { countedSince: null });
  expect(compareHistories(shown, previous, times)).toMatchObject({ requests: [null, null, null], totals: null });
});

test('changes are relative; those of shares are in points', () => {
  expect(formatChange(112, 100, String)).toBe('+12%, from 100');
  expect(formatChange(50, 100, String)).toBe('-50%, from 100');
  expect(formatChange(3, 0, String)).toBe('none before');
  expect(formatChange(100_000, 100_001, String)).toBe('no change');
  expect(formatShareChange(12, 100, 5, 50)).toBe('+2 points, from 10.0%');
  expect(formatShareChange(12, 100, 0, 0)).toBe('no requests before');
});

test('the previous period is named by whole days where days are counted', () => {
  expect(formatTimes({ from: '2026-06-01T00:00:00Z', to: '2026-06-15T00:00:00Z', every: 'day' }, NOW)).toBe(
    '1 Jun 2026 to 14 Jun 2026 (UTC)',
  );
});
