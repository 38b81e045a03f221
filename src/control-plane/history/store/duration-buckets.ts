/**
 * Durations are counted in logarithmic buckets: each is 10% wider than the one before, so a percentile read from them
 * is off by less than 5%.
 */

const GROWTH = 1.1;
/** Upper bound of the first bucket, in ms. */
const FIRST_MS = 0.01;
/** The last bucket begins beyond 10 minutes and has no upper bound. */
export const BUCKET_COUNT = 192;

const LAST_BUCKET = BUCKET_COUNT - 1;
const PER_LOG = 1 / Math.log(GROWTH);
/** Makes a duration just above `FIRST_MS` fall into bucket 1. */
const OFFSET = 1 - Math.log(FIRST_MS) * PER_LOG;

/** @param durationMs any value; NaN and values up to `FIRST_MS` belong to the first bucket */
export function findBucket(durationMs: number): number {
  if (!(durationMs > FIRST_MS)) return 0;
  const exact = Math.log(durationMs) * PER_LOG + OFFSET;
  return exact < LAST_BUCKET ? exact | 0 : LAST_BUCKET;
}

/** Returns the geometric middle of a bucket, in ms. */
export function findMiddle(bucket: number): number {
  return FIRST_MS * GROWTH ** (bucket - 0.5);
}

/**
 * The number of durations in each bucket. Each element has the bucket in its upper bits, and the count of that bucket
 * in its lower 40 bits. Elements are sorted by bucket, and each bucket occurs at most once. Each element is exact both
 * as a double and as PostgreSQL's BIGINT.
 */
export type Durations = readonly number[];

const COUNT_RANGE = 2 ** 40;

export function packCount(bucket: number, count: number): number {
  return bucket * COUNT_RANGE + count;
}

function unpackBucket(element: number): number {
  return Math.floor(element / COUNT_RANGE);
}

/** Avoids the remainder operator, because it takes many times as long. */
function unpackCount(element: number): number {
  return element - unpackBucket(element) * COUNT_RANGE;
}

/** Adds up two lists of durations. */
export function mergeDurations(leftDurations: ArrayLike<number>, rightDurations: ArrayLike<number>): number[] {
  const sum: number[] = [];
  let [left, right] = [0, 0];
  while (left < leftDurations.length && right < rightDurations.length) {
    const [a, b] = [leftDurations[left] as number, rightDurations[right] as number];
    const [first, second] = [unpackBucket(a), unpackBucket(b)];
    sum.push(first < second ? a : first > second ? b : a + unpackCount(b));
    if (first <= second) left++;
    if (second <= first) right++;
  }
  for (; left < leftDurations.length; left++) sum.push(leftDurations[left] as number);
  for (; right < rightDurations.length; right++) sum.push(rightDurations[right] as number);
  return sum;
}

/** Adds durations to counts by bucket. */
export function addDurations(counts: Float64Array, durations: ArrayLike<number>): void {
  for (let index = 0; index < durations.length; index++) {
    const element = durations[index] as number;
    (counts[unpackBucket(element)] as number) += unpackCount(element);
  }
}

/** Converts counts by bucket to durations. */
export function toDurations(counts: ArrayLike<number>): Durations {
  const durations: number[] = [];
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const count = counts[bucket] as number;
    if (count > 0) durations.push(packCount(bucket, count));
  }
  return durations;
}

/**
 * @param total number of durations
 * @param shares the percentiles to compute as fractions, ascending, such as 0.5 and 0.95
 * @returns a percentile in ms for each share, accurate to 5%; null if there are no durations
 */
export function computePercentiles(
  durations: ArrayLike<number>,
  total: number,
  shares: readonly number[],
): (number | null)[] {
  const results: (number | null)[] = [];
  let [index, below] = [-1, 0];
  for (const share of shares) {
    const rank = Math.max(1, Math.ceil(total * share));
    while (below < rank && ++index < durations.length) below += unpackCount(durations[index] as number);
    results.push(index < durations.length ? findMiddle(unpackBucket(durations[index] as number)) : null);
  }
  return results;
}
