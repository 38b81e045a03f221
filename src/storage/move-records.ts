import { Kysely, PostgresDialect, sql } from 'kysely';
import { existsSync } from 'node:fs';
import { StartError } from '../base/error-types.ts';
import { migratePostgres } from './postgres.ts';
import { MOVE_TIMEOUTS } from './postgres-timeouts.ts';
import { createPool } from './postgres-pool.ts';
import { type Queries, type Tx, copiedTables, countedTables, type Tables } from './tables.ts';
import { openSqliteDatabase } from './sqlite.ts';

const BATCH_ROWS = 500;

/** A table to copy into a table of the same name. */
export interface MovableTable {
  readonly name: string;
  /** The name of the table in the result. */
  readonly label: string;
  /** An SQL condition. If the target has a row that meets it, the target is not empty. */
  readonly occupiedCondition: string;
  count(): Promise<number>;
  /** Copies the rows in batches, and yields the number of rows in each. */
  copy(to: Tx): AsyncIterable<number>;
}

export interface MoveOptions {
  /** The records' SQLite file. */
  readonly file: string;
  /** The target PostgreSQL database. */
  readonly url: string;
  /** Further tables to copy, such as those of the history. */
  readonly others: readonly MovableTable[];
  /** Called after each batch of rows. */
  readonly onProgress: (moved: number, total: number) => void;
}

/**
 * Copies the records of a SQLite file, and other tables, into an empty PostgreSQL database in one transaction. Does not
 * change the file.
 *
 * @returns the number of copied rows by `MovableTable.what`
 * @throws StartError if the file is in use or has additions of a newer version, the target is not empty, or one of them
 *   cannot be used
 */
export async function moveRecords({ file, url, others, onProgress }: MoveOptions): Promise<Record<string, number>> {
  if (!existsSync(file)) throw new StartError(`there is no database ${file}: check --from and TOLLGATE_DATA_DIR`);
  const source = await openSqliteDatabase(file);
  const pool = createPool({ url, purpose: 'move', ...MOVE_TIMEOUTS });
  try {
    refuseNewer(source.newerSteps);
    await migratePostgres(url);
    const target = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    return await source.read((from) => {
      const tables = [...copiedTables.map((name) => createRecordTable(from, name)), ...others];
      return target.transaction().execute((to) => copyAll(tables, to, onProgress));
    });
  } finally {
    await pool.end();
    await source.close();
  }
}

/** Refuses a database with additions of a newer version, because they would be missing from the copy. */
function refuseNewer([step]: readonly string[]): void {
  if (step === undefined) return;
  throw new StartError(
    `the source has additions of a newer version of Tollgate ("${step}"): use that version to move it`,
  );
}

async function copyAll(
  tables: readonly MovableTable[],
  to: Tx,
  onProgress: MoveOptions['onProgress'],
): Promise<Record<string, number>> {
  await refuseNonEmpty(tables, to);
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table.label] = (counts[table.label] ?? 0) + (await table.count());
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let moved = 0;
  for (const table of tables) {
    for await (const rows of table.copy(to)) {
      moved += rows;
      onProgress(moved, total);
    }
  }
  for (const table of countedTables) await advanceSequence(to, table, 'sequence');
  return counts;
}

async function refuseNonEmpty(tables: readonly MovableTable[], to: Tx): Promise<void> {
  // The locks prevent a gateway from writing to the target during the move.
  for (const { name } of tables) await sql`LOCK TABLE ${sql.table(name)} IN EXCLUSIVE MODE`.execute(to);
  for (const { name, occupiedCondition: occupied } of tables) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} WHERE ${sql.raw(occupied)} LIMIT 1`.execute(to);
    if (rows.length === 0) continue;
    throw new StartError(`the target is not empty (it has rows in ${name}): use an empty database`);
  }
}

function createRecordTable(from: Queries, name: keyof Tables): MovableTable {
  return {
    name,
    label: name,
    occupiedCondition: 'true',
    async count() {
      const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(name)}`.execute(from);
      return rows[0]?.count ?? 0;
    },
    async *copy(to) {
      for (let rows = await readRowsAfter(from, name, 0); rows.length > 0;) {
        await to.insertInto(name).values(rows.map(withoutRowid)).execute();
        yield rows.length;
        rows = await readRowsAfter(from, name, Number(rows.at(-1)?.['rowid']));
      }
    },
  };
}

async function readRowsAfter(from: Queries, table: keyof Tables, rowid: number): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT *, rowid AS "rowid" FROM ${sql.table(table)} WHERE rowid > ${rowid} ORDER BY rowid LIMIT ${BATCH_ROWS}`.execute(
    from,
  );
  return rows;
}

/**
 * Moves an identity sequence behind its column's highest value. Call this after inserting rows with explicit values.
 */
export async function advanceSequence(to: Tx, table: string, column: string): Promise<void> {
  await sql`
    SELECT setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1, false)
    FROM ${sql.table(table)}`.execute(to);
}

function withoutRowid(row: Record<string, unknown>): never {
  // The cast is needed because TypeScript does not know that the row is from the table of the same name.
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'rowid')) as never;
}
