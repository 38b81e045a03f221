import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { explainSqlite } from '../../../storage/sqlite-file.ts';
import type { Statements } from '../tables/statements.ts';

/** Runs single statements, and lets others have a turn before each. */
export class SqliteStatements implements Statements {
  readonly #sqlite: DatabaseSync;

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  async rows(text: string, values: readonly (string | number)[]): Promise<Record<string, SQLOutputValue>[]> {
    await nextTurn();
    try {
      return this.#sqlite.prepare(text).all(named(values));
    } catch (error) {
      throw explainSqlite(error);
    }
  }

  async run(text: string, values: readonly (string | number)[]): Promise<number> {
    await nextTurn();
    try {
      return Number(this.#sqlite.prepare(text).run(named(values)).changes);
    } catch (error) {
      throw explainSqlite(error);
    }
  }
}

/** To SQLite, `$1` is a name. */
export function named(values: readonly (string | number)[]): Record<string, string | number> {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
}
