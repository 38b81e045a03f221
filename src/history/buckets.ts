/**
 * Durations are counted in logarithmic buckets: each is 10 % wider than the one before, so a percentile read from them
 * is off by less than 5 %.
 */

const GROWTH = 1.1;
/** Upper bound of the first bucket, in ms. */
const FIRST_MS = 0.01;
/** The last bucket begins beyond 10 minutes and has no upper bound. */
export const BUCKET_COUNT = 192;

const LAST = BUCKET_COUNT - 1;
const PER_LOG = 1 / Math.log(GROWTH);
/** What makes a duration just above `FIRST_MS` fall into bucket 1. */
const OFFSET = 1 - Math.log(FIRST_MS) * PER_LOG;

/** @param durationMs anything that is not above `FIRST_MS`, even NaN, is in the first bucket */
export function bucketOf(durationMs: number): number {
  if (!(durationMs > FIRST_MS)) return 0;
  const bucket = (Math.log(durationMs) * PER_LOG + OFFSET) | 0;
  return bucket < LAST ? bucket : LAST;
}

/** The middle of a bucket in ms, by ratio. */
export function middleOf(bucket: number): number {
  return FIRST_MS * GROWTH ** (bucket - 0.5);
}

/**
 * How many durations fell into which bucket: numbers that hold a bucket in their upper bits and its count in the lower
 * 40, ascending, each bucket at most once. Exact as doubles, and as the BIGINTs of PostgreSQL.
 */
export type Durations = readonly number[];

const COUNT_RANGE = 2 ** 40;

export function packed(bucket: number, count: number): number {
  return bucket * COUNT_RANGE + count;
}

/** The sum of two. */
export function merged(one: ArrayLike<number>, other: ArrayLike<number>): number[] {
  const sum: number[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left] as number, other[right] as number];
    const [first, second] = [Math.floor(a / COUNT_RANGE), Math.floor(b / COUNT_RANGE)];
    sum.push(first < second ? a : first > second ? b : a + (b % COUNT_RANGE));
    if (first <= second) left++;
    if (second <= first) right++;
  }
  for (; left < one.length; left++) sum.push(one[left] as number);
  for (; right < other.length; right++) sum.push(other[right] as number);
  return sum;
}

/** Adds durations to counts by bucket. */
export function addDurations(counts: Float64Array, durations: Durations): void {
  for (const one of durations) (counts[Math.floor(one / COUNT_RANGE)] as number) += one % COUNT_RANGE;
}

/** The durations that were added to counts by bucket. */
export function durationsOf(counts: Float64Array): Durations {
  const durations: number[] = [];
  for (const [bucket, count] of counts.entries()) if (count > 0) durations.push(packed(bucket, count));
  return durations;
}

/**
 * @param share such as 0.95
 * @returns the duration in ms that this share of them does not exceed, within 5 %; null if there are none
 */
export function percentile(durations: Durations, share: number): number | null {
  const total = durations.reduce((sum, one) => sum + (one % COUNT_RANGE), 0);
  let left = Math.max(1, Math.ceil(total * share));
  const found = durations.find((one) => (left -= one % COUNT_RANGE) <= 0);
  return found === undefined ? null : middleOf(Math.floor(found / COUNT_RANGE));
}
