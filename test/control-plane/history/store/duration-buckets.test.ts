import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  BUCKET_COUNT,
  findBucket,
  type Durations,
  mergeDurations,
  findMiddle,
  packCount,
  computePercentiles,
} from '../../../../src/control-plane/history/store/duration-buckets.ts';

const durationMs = fc.double({ min: 0.01, max: 600_000, noNaN: true });

function countDurations(values: readonly number[]): Durations {
  return values.reduce<Durations>((sum, value) => mergeDurations(sum, [packCount(findBucket(value), 1)]), []);
}

test('the middle of a bucket is within 5% of all durations in it, up to 10 minutes', () => {
  fc.assert(
    fc.property(durationMs, (value) => {
      expect(Math.abs(findMiddle(findBucket(value)) / value - 1)).toBeLessThan(0.05);
    }),
  );
});

test('every duration has a bucket, even if it is negative, infinite or not a number', () => {
  for (const value of [0, -1, 0.01, NaN]) expect(findBucket(value)).toBe(0);
  for (const value of [3_600_000, Number.MAX_VALUE, Infinity]) expect(findBucket(value)).toBe(BUCKET_COUNT - 1);
});

test('a percentile computed from buckets is within 5% of the exact one', () => {
  const values = fc.array(durationMs, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.constantFrom(0.5, 0.95, 0.99, 1), (given, share) => {
      const exact = given.toSorted((a, b) => a - b)[Math.ceil(given.length * share) - 1]!;
      expect(Math.abs(computePercentiles(countDurations(given), given.length, [share])[0]! / exact - 1)).toBeLessThan(
        0.05,
      );
    }),
  );
  expect(computePercentiles([], 0, [0.5])).toEqual([null]);
});

test('merging durations adds up their counts in any order and keeps them sorted', () => {
  const values = fc.array(durationMs, { maxLength: 50 });
  fc.assert(
    fc.property(values, values, (one, other) => {
      const sum = mergeDurations(countDurations(one), countDurations(other));
      expect(sum).toEqual(countDurations([...other, ...one]));
      expect(sum).toEqual(sum.toSorted((a, b) => a - b));
    }),
  );
  const many = 2 ** 39;
  expect(mergeDurations([packCount(BUCKET_COUNT - 1, many)], [packCount(BUCKET_COUNT - 1, many - 1)])).toEqual([
    packCount(BUCKET_COUNT - 1, 2 * many - 1),
  ]);
});
