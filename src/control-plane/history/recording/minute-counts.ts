import { BUCKET_COUNT, bucketOf, type Durations, toDurations } from '../store/duration-buckets.ts';
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
  readonly #kinds = new Map<string | null, Map<string, CountsByKey[]>>();

  constructor(minute: number, since: number) {
    this.minute = minute;
    this.since = since;
  }

  get isEmpty(): boolean {
    return this.#kinds.size === 0;
  }

  of(operation: string | null, outcome: string, statusClass: number): CountsByKey {
    return this.#kinds.get(operation)?.get(outcome)?.[statusClass] ?? this.#add(operation, outcome, statusClass);
  }

  /** Yields the counts as rows, and removes each count from the table. */
  *rows(table: CountTable): Generator<UsageRow, void> {
    for (const [operation, outcomes] of this.#kinds) {
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
    let outcomes = this.#kinds.get(operation);
    if (outcomes === undefined) this.#kinds.set(operation, (outcomes = new Map()));
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
const REQUESTS = 0;
const UNITS = 1;
const REFUSED_UNITS = 2;
const FIRST_MS = 3;
const LAST_MS = 4;
const NUMBERS = 8;
/**
 * Offset of the bytes after the first five numbers. Each byte contains the bucket of one of the first few durations.
 */
const FEW_FROM = 5 * Float64Array.BYTES_PER_ELEMENT;
const COUNT_BYTES = NUMBERS * Float64Array.BYTES_PER_ELEMENT;
const FEW = COUNT_BYTES - FEW_FROM;

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
 * line. Only a count of more than `FEW` requests has a separate array for its durations.
 */
export class CountTable {
  /** Number of counts in use. */
  size = 0;
  readonly #numbers: Float64Array;
  readonly #bytes: Uint8Array;
  /** Durations by bucket, for counts with many requests. */
  readonly #histograms: (Uint32Array | null)[] = [];
  readonly #free: number[] = [];

  constructor(capacity: number) {
    // The operating system allocates each page of the buffer only when the page is first used.
    const buffer = new ArrayBuffer(capacity * COUNT_BYTES);
    this.#numbers = new Float64Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  /** Adds a count and returns its number. The table must have room. */
  allocate(msInMinute: number): number {
    this.size++;
    const count = this.#free.pop() ?? this.#histograms.push(null) - 1;
    const at = count * NUMBERS;
    this.#numbers.fill(0, at, at + NUMBERS);
    this.#numbers[at + FIRST_MS] = msInMinute;
    return count;
  }

  /** Adds a request. */
  add(count: number, units: number, refusedUnits: number, durationMs: number, msInMinute: number): void {
    const numbers = this.#numbers;
    const at = count * NUMBERS;
    const requests = numbers[at + REQUESTS] as number;
    const bucket = bucketOf(durationMs);
    if (requests < FEW) this.#bytes[count * COUNT_BYTES + FEW_FROM + requests] = bucket;
    else ((this.#histograms[count] ?? this.#spread(count))[bucket] as number)++;
    numbers[at + REQUESTS] = requests + 1;
    (numbers[at + UNITS] as number) += units;
    (numbers[at + REFUSED_UNITS] as number) += refusedUnits;
    // The clock may be set back.
    if (msInMinute > (numbers[at + LAST_MS] as number)) numbers[at + LAST_MS] = msInMinute;
    else if (msInMinute < (numbers[at + FIRST_MS] as number)) numbers[at + FIRST_MS] = msInMinute;
  }

  /** Removes a count. */
  take(count: number): Sums {
    const numbers = this.#numbers.subarray(count * NUMBERS, (count + 1) * NUMBERS);
    const sums = {
      requests: numbers[REQUESTS] as number,
      units: numbers[UNITS] as number,
      refusedUnits: numbers[REFUSED_UNITS] as number,
      firstMs: numbers[FIRST_MS] as number,
      lastMs: numbers[LAST_MS] as number,
      durations: toDurations(this.#histograms[count] ?? this.#spread(count)),
    };
    this.#histograms[count] = null;
    this.#free.push(count);
    this.size--;
    return sums;
  }

  #spread(count: number): Uint32Array {
    const histogram = new Uint32Array(BUCKET_COUNT);
    const few = Math.min(FEW, this.#numbers[count * NUMBERS + REQUESTS] as number);
    const from = count * COUNT_BYTES + FEW_FROM;
    for (const bucket of this.#bytes.subarray(from, from + few)) (histogram[bucket] as number)++;
    this.#histograms[count] = histogram;
    return histogram;
  }
}
