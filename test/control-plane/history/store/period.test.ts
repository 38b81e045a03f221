import { describe, expect, test } from '@jest/globals';
import { PeriodFault, type PeriodQuery, readPeriod } from '../../../../src/control-plane/history/store/period.ts';
import type { Retention } from '../../../../src/control-plane/history/store/retention.ts';

const HOUR = 3_600_000;
const keep: Retention = { minutes: 48 * HOUR, hours: 90 * 24 * HOUR, days: 730 * 24 * HOUR };
const now = Date.parse('2026-06-15T12:34:56Z');

function read(query: PeriodQuery, maxSeries = 1): readonly string[] {
  const { from, to, every } = readPeriod(query, keep, now, maxSeries);
  return [from, to].map((time) => new Date(time).toISOString().replace(':00.000', '')).concat(every);
}

function findFault(query: PeriodQuery, maxSeries = 1): readonly [string, string] {
  try {
    readPeriod(query, keep, now, maxSeries);
  } catch (error) {
    if (error instanceof PeriodFault) return [error.field, error.message];
    throw error;
  }
  throw new Error('the period was accepted');
}

describe('for a period of which a part is not given,', () => {
  test.each<[PeriodQuery, readonly string[]]>([
    [{}, ['2026-06-14T12:00Z', '2026-06-15T13:00Z', 'hour']],
    [{ every: 'minute' }, ['2026-06-15T11:34Z', '2026-06-15T12:35Z', 'minute']],
    [{ every: 'day' }, ['2026-05-16T00:00Z', '2026-06-16T00:00Z', 'day']],
    [{ from: '2026-06-15T10:00:00Z' }, ['2026-06-15T10:00Z', '2026-06-15T12:35Z', 'minute']],
    [{ from: '2026-06-08T13:00:00Z' }, ['2026-06-08T13:00Z', '2026-06-15T13:00Z', 'hour']],
    [{ from: '2026-06-01T13:00:00Z' }, ['2026-06-01T00:00Z', '2026-06-16T00:00Z', 'day']],
    [{ to: '2026-06-01T13:00:00+02:00' }, ['2026-05-31T11:00Z', '2026-06-01T11:00Z', 'hour']],
    // The period is slightly longer than seven days.
    [{ from: '2026-06-08T12:34:55Z' }, ['2026-06-08T12:00Z', '2026-06-15T13:00Z', 'hour']],
    // The period is two hours long, but too old for data per minute.
    [{ from: '2026-06-01T10:00:00Z', to: '2026-06-01T12:00:00Z' }, ['2026-06-01T10:00Z', '2026-06-01T12:00Z', 'hour']],
    [{ from: '2026-01-01T10:00:00Z', to: '2026-01-01T12:00:00Z' }, ['2026-01-01T00:00Z', '2026-01-02T00:00Z', 'day']],
  ])('the rest is completed: %j', (query, period) => {
    expect(read(query)).toEqual(period);
  });

  test('the intervals are longer if there are many series, to limit the size of the response', () => {
    const week = { from: '2026-06-08T12:34:56Z' };
    expect([read(week, 17)[2], read(week, 18)[2]]).toEqual(['hour', 'day']);
  });
});

test('a period consists of whole intervals and ends with the current interval at the latest', () => {
  expect(read({ from: '2026-06-15T10:20:30Z', to: '2026-06-15T10:20:31Z', every: 'minute' })).toEqual([
    '2026-06-15T10:20Z',
    '2026-06-15T10:21Z',
    'minute',
  ]);
  expect(read({ from: '2026-06-15T00:00:00Z', to: '2099-01-01T00:00:00Z', every: 'day' })).toEqual([
    '2026-06-15T00:00Z',
    '2026-06-16T00:00Z',
    'day',
  ]);
});

test('the start of a period is moved forward to the oldest data', () => {
  expect(read({ from: '2020-01-01T00:00:00Z', every: 'minute' })[0]).toBe('2026-06-13T12:35Z');
  expect(read({ from: '2020-01-01T00:00:00Z', every: 'hour' })[0]).toBe('2026-03-17T13:00Z');
  expect(read({ from: '2020-01-01T00:00:00Z' })).toEqual(['2024-06-16T00:00Z', '2026-06-16T00:00Z', 'day']);
});

test('an invalid period is rejected, and the error says what to change', () => {
  expect(findFault({ from: 'yesterday' })).toEqual(['from', expect.stringMatching(/^must be an RFC 3339 date-time/)]);
  expect(findFault({ to: '2026-02-30T00:00:00Z' })).toEqual(['to', expect.stringMatching(/^must be an RFC 3339/)]);
  expect(findFault({ every: 'week' })).toEqual(['every', 'must be one of minute, hour, 6h, day']);
  const later = { from: '2026-06-15T11:00:00Z', to: '2026-06-15T11:00:00Z' };
  expect(findFault(later)).toEqual(['from', 'must be before `to`, and in the past']);
  expect(findFault({ from: '2026-06-15T12:34:56Z' })[0]).toBe('from');
  expect(findFault({ from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z', every: 'minute' })).toEqual([
    'to',
    'must be after 2026-06-13T12:35:00.000Z, the start of the per-minute data, or a longer `every`',
  ]);
  expect(findFault({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', every: 'day' })[0]).toBe('to');
});

test('a period that would need more than 3000 points is rejected before any data is read', () => {
  const fiftyHours = { from: '2026-06-13T10:30:00Z', every: 'hour' };
  expect(read(fiftyHours, 58)).toEqual(['2026-06-13T10:00Z', '2026-06-15T13:00Z', 'hour']);
  expect(findFault(fiftyHours, 59)).toEqual([
    'from',
    'must be later, or `every` longer, or `limit` lower: this would return up to 3009 points, and the maximum is 3000',
  ]);
  expect(findFault({ from: '2024-07-01T00:00:00Z', every: 'day' }, 5)[1]).toMatch(/^must be later, or `limit` lower: /);
  expect(read({ from: '2026-06-13T12:35:00Z', every: 'minute' })).toHaveLength(3);
});
