export type Value = string | number;
export type Row = Readonly<Record<string, unknown>>;

/** Reads the tables of the history as they were at one moment. Statements are those of both databases. */
export interface Reader {
  /** A condition that holds for every row; with SQLite, it fails the statement once the report has taken too long. */
  readonly inTime: string;
  /** How a column of durations is selected: `durationsIn` reads it. */
  readonly durations: string;
  /** @param text with `$1` for the first value */
  rows(text: string, values: readonly Value[]): Promise<readonly Row[]>;
  /** Like `rows`, for many: they need not all be in memory. */
  each(text: string, values: readonly Value[], visit: (row: Row) => void): Promise<void>;
  durationsIn(column: unknown): ArrayLike<number>;
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

/** A sum in the type of its column: PostgreSQL would answer with a `numeric`. */
export function sum(expression: string): string {
  return `CAST(sum(${expression}) AS BIGINT)`;
}
