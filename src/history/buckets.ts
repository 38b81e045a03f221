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

export const COUNT_BITS = 40;
const COUNT_RANGE = 2 ** COUNT_BITS;

export function packed(bucket: number, count: number): number {
  return bucket * COUNT_RANGE + count;
}

/** Calls `each` with every bucket and its count. */
export function forEachBucket(durations: Durations, each: (bucket: number, count: number) => void): void {
  for (const one of durations) each(Math.floor(one / COUNT_RANGE), one % COUNT_RANGE);
}

/** Sums up durations. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKET_COUNT);
  #total = 0;

  add(durations: Durations): void {
    for (const one of durations) {
      const count = one % COUNT_RANGE;
      this.#counts[Math.floor(one / COUNT_RANGE)]! += count;
      this.#total += count;
    }
  }

  durations(): number[] {
    const found: number[] = [];
    for (const [bucket, count] of this.#counts.entries()) if (count > 0) found.push(packed(bucket, count));
    return found;
  }

  /**
   * @param share such as 0.95
   * @returns the duration in ms that this share of them does not exceed, within 5 %; null if there are none
   */
  percentile(share: number): number | null {
    if (this.#total === 0) return null;
    let left = Math.max(1, Math.ceil(this.#total * share));
    const bucket = this.#counts.findIndex((count) => (left -= count) <= 0);
    return middleOf(bucket);
  }
}
