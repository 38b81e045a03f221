import { MINUTE_MS } from '../../../base/time.ts';
import { addDurations, BUCKET_COUNT, toDurations, computePercentiles } from '../store/duration-buckets.ts';
import type { Group, UsageFigures } from '../store/history-store.ts';
import { findStart } from '../store/calendar.ts';
import { ALL_NAMES, NO_NAME } from '../../../storage/history-tables.ts';

export type Value = string | number;
export type Row = Readonly<Record<string, unknown>>;

/** @param at start of the interval, in ms since the Unix epoch */
export type VisitCount = (group: Group, at: number, counts: Counts) => void;

/** Reads the tables of the history as they were at one moment. Statements must work with both databases. */
export interface Reader {
  /** An SQL condition that is always true. With SQLite, it makes the statement fail if the report takes too long. */
  readonly inTimeCondition: string;
  /** Returns an SQL expression for the text of a field of a JSON column. */
  selectText(column: string, field: string): string;
  /** @param text with `$1` for the first value */
  rows(text: string, values: readonly Value[]): Promise<readonly Row[]>;
  /** Like `rows`, but for results that may not fit into memory. */
  forEachRow(text: string, values: readonly Value[], visit: (row: Row) => void): Promise<void>;
  /** Visits counts by group and time, in any order. Counts of the same group and time may already be added up. */
  forEachCount(source: CountSource, values: readonly Value[], visit: VisitCount): Promise<void>;
}

/** The parts of a statement that selects rows of a usage table. The table is called `u`. */
export interface CountSource {
  readonly group: string;
  readonly from: string;
  readonly where: string;
  /** Whether there is at most one row for each group and time. */
  readonly isSummed: boolean;
  /**
   * Number of keys to add up at a time, because all keys together may have millions of rows. `from` must then contain
   * the table `history_names` as `n`. Null: all keys at once.
   */
  readonly keysPerSlice: number | null;
}

/** The values of a statement, collected while its text is written. */
export class Values {
  readonly list: Value[] = [];

  /** @returns the placeholder for the value */
  add(value: Value): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  addAll(values: readonly Value[]): string {
    return values.map((value) => this.add(value)).join(', ');
  }
}

/** Returns SQL for a sum of type BIGINT, because PostgreSQL would widen it to `numeric`. */
export function sumSql(expression: string): string {
  return `CAST(sum(${expression}) AS BIGINT)`;
}

export interface Counts {
  readonly requests: number;
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  readonly clientErrors: number;
  readonly durations: ArrayLike<number>;
}

const PERCENTILE_SHARES = [0.5, 0.95, 0.99];

/** Adds up counts. */
export class SumOfCounts {
  #requests = 0;
  #units = 0;
  #refused = 0;
  #errors = 0;
  #clientErrors = 0;
  /**
   * Durations of the first counts. Most points of a chart have only one row, so buckets are created only for a second.
   */
  #firstDurations: ArrayLike<number> | null = null;
  #buckets: Float64Array | null = null;

  get requests(): number {
    return this.#requests;
  }

  add(counts: Counts): void {
    this.#addCounts(counts, 1);
    if (this.#firstDurations === null) this.#firstDurations = counts.durations;
    else addDurations(this.#toBuckets(), counts.durations);
  }

  /** @param part counts that were added before, and are now removed again */
  subtract(part: SumOfCounts): void {
    this.#addCounts(part.#toCounts(), -1);
    const [buckets, partBuckets] = [this.#toBuckets(), part.#toBuckets()];
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) (buckets[bucket] as number) -= partBuckets[bucket] as number;
  }

  toFigures(): UsageFigures {
    const { durations, ...counts } = this.#toCounts();
    const [p50Ms = null, p95Ms = null, p99Ms = null] = computePercentiles(
      durations,
      counts.requests,
      PERCENTILE_SHARES,
    );
    return { ...counts, p50Ms, p95Ms, p99Ms };
  }

  #toCounts(): Counts {
    const durations = this.#buckets === null ? (this.#firstDurations ?? []) : toDurations(this.#buckets);
    return {
      requests: this.#requests,
      units: this.#units,
      refused: this.#refused,
      errors: this.#errors,
      clientErrors: this.#clientErrors,
      durations,
    };
  }

  #addCounts({ requests, units, refused, errors, clientErrors }: Counts, sign: 1 | -1): void {
    this.#requests += sign * requests;
    this.#units += sign * units;
    this.#refused += sign * refused;
    this.#errors += sign * errors;
    this.#clientErrors += sign * clientErrors;
  }

  #toBuckets(): Float64Array {
    if (this.#buckets === null) {
      this.#buckets = new Float64Array(BUCKET_COUNT);
      addDurations(this.#buckets, this.#firstDurations ?? []);
    }
    return this.#buckets;
  }
}

/** Loads the numbers of names. Names without a number are left out. */
export async function loadNumbers(reader: Reader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const values = new Values();
  const rows = await reader.rows(
    `SELECT no, name FROM history_names WHERE no NOT IN (${NO_NAME}, ${ALL_NAMES}) AND name IN (${values.addAll(names)})`,
    values.list,
  );
  return new Map(rows.map(({ no, name }) => [String(name), Number(no)]));
}

/** @returns a function that finds the name of a group; null: the group has no name */
export async function loadNames(reader: Reader, groups: readonly Group[]): Promise<(group: Group) => string | null> {
  const numbers = groups.filter((group) => typeof group === 'number');
  const names = new Map<number, string>();
  if (numbers.length > 0) {
    const values = new Values();
    const sql = `SELECT no, name FROM history_names WHERE no IN (${values.addAll(numbers)})`;
    for (const { no, name } of await reader.rows(sql, values.list)) names.set(Number(no), String(name));
  }
  return (group) => {
    if (typeof group !== 'number') return group;
    return group === NO_NAME ? null : (names.get(group) ?? null);
  };
}

/**
 * Returns SQL for a table `minutes` with the start of each minute in its column `start`. Rows of minutes are stored by
 * time. With this table, a few keys are looked up in each minute, instead of reading the rows of all keys.
 *
 * @param to exclusive
 */
export function createMinutesTable(from: number, to: number, values: Values): string {
  const next = `start + ${MINUTE_MS}`;
  return `(
    WITH RECURSIVE starts (start) AS (
      SELECT CAST(${values.add(findStart('minute', from))} AS BIGINT)
      UNION ALL SELECT ${next} FROM starts WHERE ${next} < ${values.add(to)}
    ) SELECT start FROM starts) minutes`;
}
