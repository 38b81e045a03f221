import type { Counts } from './sum-of-counts.ts';

export type Value = string | number;
export type Row = Readonly<Record<string, unknown>>;

/** A number from `history_names`, or an owner or plan; null: none. */
export type Group = number | string | null;

/** @param at start of the interval, in ms since the Unix epoch */
export type VisitCount = (group: Group, at: number, counts: Counts) => void;

/** Reads the tables of the history as they were at one moment. Statements are such as both databases understand. */
export interface Reader {
  /** A condition that always holds. With SQLite, it fails the statement once the report has taken too long. */
  readonly inTime: string;
  /** @param text with `$1` for the first value */
  rows(text: string, values: readonly Value[]): Promise<readonly Row[]>;
  /** Like `rows`, but for so many that they should not all be in memory. */
  each(text: string, values: readonly Value[], visit: (row: Row) => void): Promise<void>;
  /** Visits counts by group and time, in any order. They may be added up on the way. */
  eachCount(source: CountSource, values: readonly Value[], visit: VisitCount): Promise<void>;
}

/** The parts of a statement that selects rows of a usage table, which is called `u`. */
export interface CountSource {
  readonly group: string;
  readonly from: string;
  readonly where: string;
  /** Whether there is at most one row for each group and time. */
  readonly isSummed: boolean;
}

/** The values of a statement, gathered while its text is written. */
export class Values {
  readonly list: Value[] = [];

  /** @returns what stands for the value in the text */
  add(value: Value): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  addAll(values: readonly Value[]): string {
    return values.map((value) => this.add(value)).join(', ');
  }
}

/** A sum in the type of its column: PostgreSQL would widen it to `numeric`. */
export function sum(expression: string): string {
  return `CAST(sum(${expression}) AS BIGINT)`;
}
