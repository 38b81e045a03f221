import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../tables.ts';

/** Prepared statements kept: more than there are different queries, not counting those with many rows of values. */
const MAX_STATEMENTS = 200;

/** Kysely over `node:sqlite`. Destroying it leaves the database open: whoever opened that closes it. */
export function kyselyOver(sqlite: DatabaseSync): Kysely<Tables> {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  const prepare = (text: string): SqliteStatement => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = text === 'rollback' ? rollbackOf(sqlite) : adapted(sqlite.prepare(text));
      statements.set(text, statement);
    }
    return statement;
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close() {} } }) });
}

/** After some failures, such as a full disk, SQLite has already rolled back: a second error must not hide the first. */
function rollbackOf(sqlite: DatabaseSync): SqliteStatement {
  const nothing = { changes: 0, lastInsertRowid: 0 };
  const statement = adapted(sqlite.prepare('ROLLBACK'));
  return { ...statement, run: () => (sqlite.isTransaction ? statement.run([]) : nothing) };
}

/** A `node:sqlite` statement with the methods Kysely expects. */
function adapted(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
