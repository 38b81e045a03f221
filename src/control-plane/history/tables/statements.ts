/** What pruning and deleting need of a database: single statements, with parameters `$1`, `$2` and so on. */
export interface Statements {
  rows(text: string, values: readonly (string | number)[]): Promise<Readonly<Record<string, unknown>>[]>;
  /** In a transaction of its own. @returns the number of rows that it changed */
  run(text: string, values: readonly (string | number)[]): Promise<number>;
}
