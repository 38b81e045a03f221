import { existsSync } from 'node:fs';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { StartError } from '../base/start-error.ts';
import type { Queries, Tx } from './queries.ts';
import { migratePostgres } from './postgres/postgres.ts';
import { MOVE_TIMEOUTS } from './postgres/postgres-timeouts.ts';
import { createPool } from './postgres/postgres-pool.ts';
import { openSqliteDatabase } from './sqlite/sqlite.ts';
import { countedTables, tableNames, type Tables } from './tables.ts';

const BATCH_ROWS = 500;

/** Called after each batch of rows. */
export type OnProgress = (moved: number, total: number) => void;

/**
 * Copies the records of a SQLite file into an empty PostgreSQL database, all or nothing. The file is not changed.
 *
 * @returns the number of rows copied to each table
 * @throws StartError if the file is in use, the target is not empty, or one of them cannot be used
 */
export async function moveRecords(file: string, url: string, onProgress: OnProgress): Promise<Record<string, number>> {
  if (!existsSync(file)) throw new StartError(`there is no database ${file}: check --from and TOLLGATE_DATA_DIR`);
  const source = await openSqliteDatabase(file, 0);
  const pool = createPool({ url, purpose: 'move', ...MOVE_TIMEOUTS });
  try {
    await migratePostgres(url);
    const target = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    return await source.read((from) => target.transaction().execute((to) => copyAll(from, to, onProgress)));
  } finally {
    await pool.end();
    await source.close();
  }
}

async function copyAll(from: Queries, to: Tx, onProgress: OnProgress): Promise<Record<string, number>> {
  await refuseNonEmpty(to);
  const counts = new Map<keyof Tables, number>();
  for (const table of tableNames) counts.set(table, await countOf(from, table));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let moved = 0;
  for (const table of tableNames) {
    for (let rows = await rowsAfter(from, table, 0); rows.length > 0;) {
      await to.insertInto(table).values(rows.map(withoutRowid)).execute();
      moved += rows.length;
      onProgress(moved, total);
      rows = await rowsAfter(from, table, Number(rows.at(-1)?.['rowid']));
    }
  }
  for (const table of countedTables) await advanceSequence(to, table);
  return Object.fromEntries(counts);
}

async function refuseNonEmpty(to: Tx): Promise<void> {
  // So that no gateway starts to use it meanwhile.
  for (const table of tableNames) await sql`LOCK TABLE ${sql.table(table)} IN EXCLUSIVE MODE`.execute(to);
  for (const table of tableNames) {
    if ((await countOf(to, table)) === 0) continue;
    throw new StartError(
      `the target is not empty (it has rows in ${table}): name an empty database, or empty it if nobody needs it`,
    );
  }
}

async function countOf(queries: Queries, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(queries);
  return rows[0]?.count ?? 0;
}

async function rowsAfter(from: Queries, table: keyof Tables, rowid: number): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT *, rowid AS "rowid" FROM ${sql.table(table)} WHERE rowid > ${rowid} ORDER BY rowid LIMIT ${BATCH_ROWS}`.execute(
    from,
  );
  return rows;
}

async function advanceSequence(to: Tx, table: (typeof countedTables)[number]): Promise<void> {
  await sql`
    SELECT setval(pg_get_serial_sequence(${table}, 'sequence'), coalesce(max(sequence), 0) + 1, false)
    FROM ${sql.table(table)}`.execute(to);
}

function withoutRowid(row: Record<string, unknown>): never {
  // TypeScript cannot know that the row comes from the table of the same name.
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'rowid')) as never;
}
