import { type Clock, MINUTE_MS } from '../../../base/time.ts';
import { OTHER_KEY, type UsageRow } from '../store/history-store.ts';
import { findStart } from '../store/calendar.ts';
import { CountTable, type CountsByKey, MinuteCounts } from './minute-counts.ts';

/**
 * Maximum number of counts in memory. They take about 20 MB if each has few requests, and up to 200 MB otherwise.
 * Beyond this number, keys without a count in the current minute are counted together.
 */
const MAX_COUNTS = 100_000;
/**
 * Maximum number of counts including the common counts of keys that are counted together. While the database is
 * unavailable, a few common counts are added each minute.
 */
const MAX_WITH_OTHER = 110_000;

interface RecorderLimits {
  readonly maxCounts: number;
  readonly maxWithOther: number;
}

/** Counts requests until they are written to the history. */
export class Recorder {
  /** Number of requests that were counted under `OTHER_KEY`. */
  underOther = 0;
  /** Number of requests that were not counted at all, because there was no room even for the common counts. */
  lost = 0;
  readonly #clock: Clock;
  readonly #limits: RecorderLimits;
  readonly #table: CountTable;
  #openMinute: MinuteCounts;
  /** Minutes that have ended or were closed early, oldest first. */
  readonly #closedMinutes: MinuteCounts[] = [];
  /** The rows of the first closed minute that are not taken yet; null until its first row is taken. */
  #rows: Generator<UsageRow, void> | null = null;

  constructor(clock: Clock, limits: RecorderLimits = { maxCounts: MAX_COUNTS, maxWithOther: MAX_WITH_OTHER }) {
    this.#clock = clock;
    this.#limits = limits;
    this.#table = new CountTable(limits.maxWithOther);
    this.#openMinute = this.#createMinute(clock());
  }

  /**
   * Counts a finished request. Allocates nothing unless the request is the first of its kind in the minute.
   *
   * @param keyId null: the request had no known key
   * @param operation null: the request matched no operation
   * @param outcome `SERVED`, or the code of the refusal
   * @param statusClass first digit of the status; 0: there was no response
   */
  record(
    keyId: string | null,
    operation: string | null,
    outcome: string,
    statusClass: number,
    units: number,
    refusedUnits: number,
    durationMs: number,
  ): void {
    const now = this.#clock();
    if (now - this.#openMinute.minute >= MINUTE_MS || now < this.#openMinute.minute) this.closeMinute(now);
    const msInMinute = now - this.#openMinute.minute;
    const counts = this.#openMinute.getCounts(operation, outcome, statusClass);
    const count = counts.get(keyId) ?? this.#add(counts, keyId, msInMinute);
    if (count !== null) this.#table.add(count, units, refusedUnits, durationMs, msInMinute);
  }

  /** Makes everything counted so far available to `take`. Later requests of the same minute get their own rows. */
  closeMinute(now = this.#clock()): void {
    if (!this.#openMinute.isEmpty) this.#closedMinutes.push(this.#openMinute);
    this.#openMinute = this.#createMinute(now);
  }

  /** Removes up to `limit` rows from the closed minutes, and returns them. */
  take(limit: number): UsageRow[] {
    const takenRows: UsageRow[] = [];
    while (takenRows.length < limit && this.#closedMinutes.length > 0) {
      this.#rows ??= (this.#closedMinutes[0] as MinuteCounts).takeRows(this.#table);
      const { done, value } = this.#rows.next();
      if (done !== true) takenRows.push(value);
      else {
        this.#rows = null;
        this.#closedMinutes.shift();
      }
    }
    return takenRows;
  }

  /** Number of counts that are not taken yet. */
  get size(): number {
    return this.#table.size;
  }

  /** Time of the first request that is not taken yet, in ms since the Unix epoch; null if there is none. */
  get oldestAt(): number | null {
    const oldest = this.#closedMinutes[0] ?? this.#openMinute;
    return oldest.isEmpty ? null : oldest.since;
  }

  #createMinute(now: number): MinuteCounts {
    return new MinuteCounts(findStart('minute', now), now);
  }

  /**
   * Adds a count for the key and returns its number. If there are too many counts, returns the number of the common
   * count of `OTHER_KEY`. Null: there is no room even for a common count.
   */
  #add(counts: CountsByKey, keyId: string | null, msInMinute: number): number | null {
    const isFull = this.size >= this.#limits.maxCounts;
    const countedKeyId = isFull && keyId !== null ? OTHER_KEY : keyId;
    if (countedKeyId !== keyId) this.underOther++;
    let count = counts.get(countedKeyId);
    if (count !== undefined) return count;
    if (this.size >= this.#limits.maxWithOther) {
      this.lost++;
      return null;
    }
    count = this.#table.allocate(msInMinute);
    counts.set(countedKeyId, count);
    return count;
  }
}
