import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../tables.ts';

/** Prepared statements kept: more than there are different queries, but for those with many rows of values. */
const MAX_STATEMENTS = 200;

/** Kysely over `node:sqlite`. The database stays open when it is destroyed: whoever opened it closes it. */
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

/** Some failures, such as a full disk, have rolled back already: they are not to be hidden by another. */
function rollbackOf(sqlite: DatabaseSync): SqliteStatement {
  const nothing = { changes: 0, lastInsertRowid: 0 };
  const statement = adapted(sqlite.prepare('ROLLBACK'));
  return { ...statement, run: () => (sqlite.isTransaction ? statement.run([]) : nothing) };
}

/** A statement of `node:sqlite` with the methods that Kysely expects. */
function adapted(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
