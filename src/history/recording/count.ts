import { BUCKET_COUNT, bucketOf, packed } from '../buckets.ts';

/** Durations that a count keeps one by one. Most counts of most minutes never have more. */
const FEW = 16;

/** The requests of one key, operation, outcome and status class in one minute. */
export class Count {
  requests = 0;
  units = 0;
  refusedUnits = 0;
  /** When the first and the last came, in ms from the start of the minute: small integers need no memory of their own. */
  readonly firstMs: number;
  lastMs: number;
  /** Buckets of the first durations; then all are in `buckets`. */
  readonly #few = new Uint8Array(FEW);
  #buckets: Uint32Array | null = null;

  constructor(msInMinute: number) {
    this.firstMs = msInMinute;
    this.lastMs = msInMinute;
  }

  add(units: number, refusedUnits: number, durationMs: number, msInMinute: number): void {
    const bucket = bucketOf(durationMs);
    if (this.requests < FEW) this.#few[this.requests] = bucket;
    else ((this.#buckets ??= this.#spread())[bucket] as number)++;
    this.requests++;
    this.units += units;
    this.refusedUnits += refusedUnits;
    this.lastMs = msInMinute;
  }

  durations(): number[] {
    const counts = this.#buckets ?? this.#spread();
    const found: number[] = [];
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) {
      const count = counts[bucket] as number;
      if (count > 0) found.push(packed(bucket, count));
    }
    return found;
  }

  #spread(): Uint32Array {
    const counts = new Uint32Array(BUCKET_COUNT);
    for (let index = 0; index < this.requests && index < FEW; index++) (counts[this.#few[index] as number] as number)++;
    return counts;
  }
}
