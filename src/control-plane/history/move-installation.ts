import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ALL_NAMES, historyTableNames, HISTORY_FILE } from '../../storage/history-tables.ts';
import { advanceSequence, type MovableTable, type MoveOptions, moveRecords } from '../../storage/move-records.ts';
import { NO_WAIT } from '../../storage/sqlite-file.ts';
import type { Tx } from '../../storage/tables.ts';
import { readDurations } from './sqlite/sqlite-write.ts';
import { openHistoryFile } from './sqlite/sqlite-history.ts';

/** Rows per statement. The rows of a statement are sent as a single parameter of less than a megabyte. */
const BATCH_ROWS = 1000;

type Table = (typeof historyTableNames)[number];
type Row = Readonly<Record<string, unknown>>;

/**
 * Moves the records like `moveRecords`, and also the history if the data directory contains one.
 *
 * @throws StartError as `moveRecords`
 */
export async function moveInstallation({
  dataDir,
  ...moveOptions
}: Omit<MoveOptions, 'others'> & { readonly dataDir: string }): Promise<Record<string, number>> {
  const file = join(dataDir, HISTORY_FILE);
  if (!existsSync(file)) return moveRecords({ ...moveOptions, others: [] });
  const history = await openHistoryFile(file, NO_WAIT);
  try {
    return await moveRecords({
      ...moveOptions,
      others: historyTableNames.map((name) => createHistoryTable(history.sqlite, name)),
    });
  } finally {
    history.close();
  }
}

function createHistoryTable(sqlite: DatabaseSync, name: Table): MovableTable {
  // Every history starts with the same two rows of names, so the target already has these rows.
  const condition = name === 'history_names' ? `no > ${ALL_NAMES}` : 'true';
  return {
    name,
    label: 'rows of history',
    occupiedCondition: condition,
    count: async () =>
      Number(sqlite.prepare(`SELECT count(*) AS count FROM ${name} WHERE ${condition}`).get()?.['count']),
    async *copy(to) {
      for (const rows of splitBatches(sqlite.prepare(`SELECT * FROM ${name} WHERE ${condition}`).iterate())) {
        await insertRows(to, name, rows);
        yield rows.length;
      }
      if (name === 'history_names') await advanceSequence(to, name, 'no');
    },
  };
}

function* splitBatches(rows: Iterable<Row>): Generator<readonly Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function insertRows(to: Tx, name: Table, rows: readonly Row[]): Promise<void> {
  const json = JSON.stringify(rows.map(expandDurations));
  await sql`INSERT INTO ${sql.table(name)}
    SELECT * FROM json_populate_recordset(NULL::${sql.table(name)}, ${json}::JSON)`.execute(to);
}

function expandDurations(row: Row): Row {
  const { durations } = row;
  return durations instanceof Uint8Array ? { ...row, durations: [...readDurations(durations)] } : row;
}
