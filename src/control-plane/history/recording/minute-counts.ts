import { BUCKET_COUNT, findBucket, type Durations, toDurations } from '../store/duration-buckets.ts';
import type { UsageRow } from '../store/history-store.ts';

/** For each key, the position of its count in a `CountTable`. */
export type CountsByKey = Map<string | null, number>;

/** The counts of one minute, or of a part of it. */
export class MinuteCounts {
  /** Start of the minute, in ms since the Unix epoch. */
  readonly minute: number;
  /** Time at or shortly before the first request, in ms since the Unix epoch. */
  readonly since: number;
  /**
   * Counts by operation, outcome and status class. There are few combinations, so these maps stay in the processor's
   * caches. Only the final lookup, by key, is in a large map.
   */
  readonly #countsByKind = new Map<string | null, Map<string, CountsByKey[]>>();

  constructor(minute: number, since: number) {
    this.minute = minute;
    this.since = since;
  }

  get isEmpty(): boolean {
    return this.#countsByKind.size === 0;
  }

  getCounts(operation: string | null, outcome: string, statusClass: number): CountsByKey {
    return this.#countsByKind.get(operation)?.get(outcome)?.[statusClass] ?? this.#add(operation, outcome, statusClass);
  }

  /** Yields the counts as rows, and removes each count from the table. */
  *takeRows(table: CountTable): Generator<UsageRow, void> {
    for (const [operation, outcomes] of this.#countsByKind) {
      for (const [outcome, classes] of outcomes) {
        for (const [statusClass, counts] of classes.entries()) {
          for (const [keyId, count] of counts) {
            const kind = { minute: this.minute, keyId, operation, outcome, statusClass };
            yield { ...kind, ...toFigures(this.minute, table.take(count)) };
          }
        }
      }
    }
  }

  #add(operation: string | null, outcome: string, statusClass: number): CountsByKey {
    let outcomes = this.#countsByKind.get(operation);
    if (outcomes === undefined) this.#countsByKind.set(operation, (outcomes = new Map()));
    let classes = outcomes.get(outcome);
    // Status classes from 0 to 5.
    if (classes === undefined) outcomes.set(outcome, (classes = Array.from({ length: 6 }, () => new Map())));
    return classes[statusClass] as CountsByKey;
  }
}

function toFigures(minute: number, { requests, units, refusedUnits, firstMs, lastMs, durations }: Sums) {
  return { requests, units, refusedUnits, durations, firstAt: minute + firstMs, lastAt: minute + lastMs };
}

/** Positions of the numbers within a count. */
const REQUESTS_INDEX = 0;
const UNITS_INDEX = 1;
const REFUSED_UNITS_INDEX = 2;
const FIRST_MS_INDEX = 3;
const LAST_MS_INDEX = 4;
const NUMBERS_PER_COUNT = 8;
/**
 * Offset of the bytes after the first five numbers. Each byte contains the bucket of one of the first few durations.
 */
const INLINE_OFFSET = 5 * Float64Array.BYTES_PER_ELEMENT;
const COUNT_BYTES = NUMBERS_PER_COUNT * Float64Array.BYTES_PER_ELEMENT;
const INLINE_DURATIONS = COUNT_BYTES - INLINE_OFFSET;

/** Sums over requests of one kind. */
interface Sums {
  readonly requests: number;
  readonly units: number;
  readonly refusedUnits: number;
  /** Times of the first and the last request, in ms from the start of the minute. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly durations: Durations;
}

/**
 * A table of counts in one block of memory, so that counting a request allocates nothing and touches a single cache
 * line. Only a count of more than `INLINE_DURATIONS` requests has a separate array for its durations.
 */
export class CountTable {
  /** Number of counts in use. */
  size = 0;
  readonly #numbers: Float64Array;
  readonly #bytes: Uint8Array;
  /** Durations by bucket, for counts with many requests. */
  readonly #histograms: (Uint32Array | null)[] = [];
  readonly #freeCounts: number[] = [];

  constructor(capacity: number) {
    // The operating system allocates each page of the buffer only when the page is first used.
    const buffer = new ArrayBuffer(capacity * COUNT_BYTES);
    this.#numbers = new Float64Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  /** Adds a count and returns its number. The table must have room. */
  allocate(msInMinute: number): number {
    this.size++;
    const count = this.#freeCounts.pop() ?? this.#histograms.push(null) - 1;
    const offset = count * NUMBERS_PER_COUNT;
    this.#numbers.fill(0, offset, offset + NUMBERS_PER_COUNT);
    this.#numbers[offset + FIRST_MS_INDEX] = msInMinute;
    return count;
  }

  /** Adds a request. */
  add(count: number, units: number, refusedUnits: number, durationMs: number, msInMinute: number): void {
    const numbers = this.#numbers;
    const offset = count * NUMBERS_PER_COUNT;
    const requests = numbers[offset + REQUESTS_INDEX] as number;
    const bucket = findBucket(durationMs);
    if (requests < INLINE_DURATIONS) this.#bytes[count * COUNT_BYTES + INLINE_OFFSET + requests] = bucket;
    else ((this.#histograms[count] ?? this.#createHistogram(count))[bucket] as number)++;
    numbers[offset + REQUESTS_INDEX] = requests + 1;
    (numbers[offset + UNITS_INDEX] as number) += units;
    (numbers[offset + REFUSED_UNITS_INDEX] as number) += refusedUnits;
    // The clock may be set back.
    if (msInMinute > (numbers[offset + LAST_MS_INDEX] as number)) numbers[offset + LAST_MS_INDEX] = msInMinute;
    else if (msInMinute < (numbers[offset + FIRST_MS_INDEX] as number)) numbers[offset + FIRST_MS_INDEX] = msInMinute;
  }

  /** Removes a count. */
  take(count: number): Sums {
    const numbers = this.#numbers.subarray(count * NUMBERS_PER_COUNT, (count + 1) * NUMBERS_PER_COUNT);
    const sums = {
      requests: numbers[REQUESTS_INDEX] as number,
      units: numbers[UNITS_INDEX] as number,
      refusedUnits: numbers[REFUSED_UNITS_INDEX] as number,
      firstMs: numbers[FIRST_MS_INDEX] as number,
      lastMs: numbers[LAST_MS_INDEX] as number,
      durations: toDurations(this.#histograms[count] ?? this.#createHistogram(count)),
    };
    this.#histograms[count] = null;
    this.#freeCounts.push(count);
    this.size--;
    return sums;
  }

  #createHistogram(count: number): Uint32Array {
    const histogram = new Uint32Array(BUCKET_COUNT);
    const inlineCount = Math.min(INLINE_DURATIONS, this.#numbers[count * NUMBERS_PER_COUNT + REQUESTS_INDEX] as number);
    const from = count * COUNT_BYTES + INLINE_OFFSET;
    for (const bucket of this.#bytes.subarray(from, from + inlineCount)) (histogram[bucket] as number)++;
    this.#histograms[count] = histogram;
    return histogram;
  }
}
