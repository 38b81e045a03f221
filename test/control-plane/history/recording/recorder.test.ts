import { beforeEach, describe, expect, test } from '@jest/globals';
import { Recorder } from '../../../../src/control-plane/history/recording/recorder.ts';
import { computePercentiles } from '../../../../src/control-plane/history/store/duration-buckets.ts';
import type { UsageRow } from '../../../../src/control-plane/history/store/history-store.ts';

const AT = Date.UTC(2026, 0, 1, 12, 30);

let now: number;
beforeEach(() => {
  now = AT;
});

const recordServed = (recorder: Recorder, key: string | null, durationMs = 1) =>
  recorder.record(key, 'listPets', 'served', 2, 1, 0, durationMs);
const take = (recorder: Recorder, limit = 100) => recorder.take(limit);
const brief = ({ keyId, minute, requests }: UsageRow) => [keyId, minute - AT, requests];

test('a row adds up all requests of one kind in one minute', () => {
  const recorder = new Recorder(() => now);
  now = AT + 5;
  recorder.record('key_a', 'addPet', 'served', 2, 3, 0, 10);
  now = AT + 59_999;
  recorder.record('key_a', 'addPet', 'served', 2, 3, 0, 10);
  recorder.record('key_a', 'addPet', 'quota_exceeded', 4, 0, 3, 1);
  recorder.closeMinute();
  const kind = { minute: AT, keyId: 'key_a', operation: 'addPet' };
  expect(take(recorder)).toEqual([
    {
      ...kind,
      outcome: 'served',
      statusClass: 2,
      requests: 2,
      units: 6,
      refusedUnits: 0,
      durations: [expect.any(Number)],
      firstAt: AT + 5,
      lastAt: AT + 59_999,
    },
    expect.objectContaining({ ...kind, outcome: 'quota_exceeded', statusClass: 4, requests: 1, refusedUnits: 3 }),
  ]);
  expect([recorder.size, recorder.oldestAt, take(recorder)]).toEqual([0, null, []]);
});

test('only rows of complete minutes are taken, unless the current minute is closed', () => {
  const recorder = new Recorder(() => now);
  recordServed(recorder, 'key_a');
  expect(take(recorder)).toEqual([]);
  now = AT + 60_000;
  recordServed(recorder, 'key_a');
  expect(take(recorder).map(brief)).toEqual([['key_a', 0, 1]]);
  recorder.closeMinute();
  recordServed(recorder, 'key_a');
  expect(take(recorder).map(brief)).toEqual([['key_a', 60_000, 1]]);
  expect(recorder.size).toBe(1);
});

test('no counts are lost if the clock is set back, or ahead by days', () => {
  const recorder = new Recorder(() => now);
  for (const offset of [0, -3_600_000, 86_400_000, 0]) {
    now = AT + offset;
    recordServed(recorder, 'key_a');
  }
  recorder.closeMinute();
  expect(take(recorder).map(brief)).toEqual([0, -3_600_000, 86_400_000, 0].map((offset) => ['key_a', offset, 1]));
});

test('rows are taken in slices while requests are still counted', () => {
  const recorder = new Recorder(() => now);
  for (let key = 0; key < 10; key++) recordServed(recorder, `key_${key}`);
  recorder.closeMinute();
  const taken = take(recorder, 4);
  now = AT + 60_000;
  recordServed(recorder, 'key_0');
  recorder.closeMinute();
  for (let rows = take(recorder, 4); rows.length > 0; rows = take(recorder, 4)) taken.push(...rows);
  expect(taken.map(brief)).toEqual([
    ...Array.from({ length: 10 }, (_, key) => [`key_${key}`, 0, 1]),
    ['key_0', 60_000, 1],
  ]);
});

test('the percentiles of durations are accurate for few requests and for many', () => {
  for (const count of [1, 16, 17, 40, 1000]) {
    const recorder = new Recorder(() => now);
    for (let index = 1; index <= count; index++) recordServed(recorder, 'key_a', index);
    recorder.closeMinute();
    const [row] = take(recorder);
    for (const share of [0.5, 0.95, 1]) {
      const exact = Math.ceil(count * share);
      expect(Math.abs((computePercentiles(row!.durations, count, [share])[0] ?? 0) / exact - 1)).toBeLessThan(0.05);
    }
  }
});

describe('when there are too many counts,', () => {
  const limits = { maxCounts: 3, maxWithOther: 5 };

  test('further ones are counted under one key, and their number is reported', () => {
    const recorder = new Recorder(() => now, limits);
    for (const key of ['key_a', 'key_b', null, 'key_c', 'key_d', 'key_a', 'key_c']) recordServed(recorder, key);
    expect([recorder.size, recorder.underOther, recorder.lost]).toEqual([4, 3, 0]);
    recorder.closeMinute();
    expect(take(recorder).map(brief)).toEqual([
      ['key_a', 0, 2],
      ['key_b', 0, 1],
      [null, 0, 1],
      ['other', 0, 3],
    ]);
    recordServed(recorder, 'key_c');
    expect(recorder.underOther).toBe(3);
  });

  test('further ones are dropped in the end, and reported as lost', () => {
    const recorder = new Recorder(() => now, limits);
    for (let minute = 0; minute < 10; minute++) {
      now = AT + minute * 60_000;
      recordServed(recorder, 'key_a');
    }
    expect([recorder.size, recorder.underOther, recorder.lost]).toEqual([5, 7, 5]);
    recorder.closeMinute();
    expect(take(recorder).map(({ requests }) => requests)).toEqual([1, 1, 1, 1, 1]);
  });
});
