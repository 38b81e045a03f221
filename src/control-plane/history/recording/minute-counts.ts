import type { UsageRow } from '../history-store.ts';
import type { CountTable, Sums } from './count-table.ts';

/** Numbers of counts, by key. */
export type CountsByKey = Map<string | null, number>;

/** The counts of one minute, or of a part of it. */
export class MinuteCounts {
  /** Start of the minute, in ms since the Unix epoch. */
  readonly minute: number;
  /** Time of the first request, in ms since the Unix epoch. */
  readonly since: number;
  /**
   * By operation, outcome and status class. There are few of them, so they stay in the processor's caches; only the
   * last look-up, by key, is among many.
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

  /** Yields the counts as rows, and removes them from the table on the way. */
  *rows(table: CountTable): Generator<UsageRow, void> {
    for (const [operation, outcomes] of this.#kinds) {
      for (const [outcome, classes] of outcomes) {
        for (const [statusClass, counts] of classes.entries()) {
          for (const [keyId, count] of counts) {
            const kind = { minute: this.minute, keyId, operation, outcome, statusClass };
            yield { ...kind, ...figuresOf(this.minute, table.take(count)) };
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

function figuresOf(minute: number, { requests, units, refusedUnits, firstMs, lastMs, durations }: Sums) {
  return { requests, units, refusedUnits, durations, firstAt: minute + firstMs, lastAt: minute + lastMs };
}
