import { addDurations, BUCKET_COUNT, durationsOf, percentiles } from '../duration-buckets.ts';
import type { UsageFigures } from '../reports.ts';

export interface Counts {
  readonly requests: number;
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  readonly durations: ArrayLike<number>;
}

const SHARES = [0.5, 0.95, 0.99];

/** Adds up counts. */
export class SumOfCounts {
  #requests = 0;
  #units = 0;
  #refused = 0;
  #errors = 0;
  /** Of the first counts: most points of a chart are one row, which needs no adding up. */
  #first: ArrayLike<number> | null = null;
  #buckets: Float64Array | null = null;

  get requests(): number {
    return this.#requests;
  }

  add(counts: Counts): void {
    this.#count(counts, 1);
    if (this.#first === null) this.#first = counts.durations;
    else addDurations(this.#spread(), counts.durations);
  }

  /** @param part what was added to this one before */
  subtract(part: SumOfCounts): void {
    this.#count(part.#total(), -1);
    const [all, some] = [this.#spread(), part.#spread()];
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) (all[bucket] as number) -= some[bucket] as number;
  }

  figures(): UsageFigures {
    const { requests, units, refused, errors, durations } = this.#total();
    const [p50Ms = null, p95Ms = null, p99Ms = null] = percentiles(durations, requests, SHARES);
    return { requests, units, refused, errors, p50Ms, p95Ms, p99Ms };
  }

  #total(): Counts {
    const durations = this.#buckets === null ? (this.#first ?? []) : durationsOf(this.#buckets);
    return {
      requests: this.#requests,
      units: this.#units,
      refused: this.#refused,
      errors: this.#errors,
      durations,
    };
  }

  #count({ requests, units, refused, errors }: Counts, sign: 1 | -1): void {
    this.#requests += sign * requests;
    this.#units += sign * units;
    this.#refused += sign * refused;
    this.#errors += sign * errors;
  }

  #spread(): Float64Array {
    if (this.#buckets === null) {
      this.#buckets = new Float64Array(BUCKET_COUNT);
      addDurations(this.#buckets, this.#first ?? []);
    }
    return this.#buckets;
  }
}
