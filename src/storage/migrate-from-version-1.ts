import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { COUNTERS_FILE, createQuotasTable } from './counters.ts';
import { migrations } from './migrations.ts';

/** The second and last migration step of version 1. */
const LAST_STEP = 'CREATE INDEX IF NOT EXISTS audit_by_action ON audit (action, sequence)';

/**
 * The `user_version` of current files. Version 1 compares it with its own, lower number, reports that a newer version
 * wrote the file, and does not start. Current versions record their steps in the table `migrations` instead.
 */
const UNKNOWN_TO_VERSION_1 = 1000;

export function refuseVersion1(sqlite: DatabaseSync): void {
  if (readUserVersion(sqlite) !== UNKNOWN_TO_VERSION_1) sqlite.exec(`PRAGMA user_version = ${UNKNOWN_TO_VERSION_1}`);
}

function readUserVersion(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
}

/**
 * Converts a database of version 1, which kept keys, plans, audit and quotas in one file, and counted its steps in
 * `user_version`. Its tables are those of the current first step, except that the quotas move to the counters file.
 * After an interruption, the next start does this again.
 */
export function migrateFromVersion1(sqlite: DatabaseSync, file: string): void {
  if ([0, UNKNOWN_TO_VERSION_1].includes(readUserVersion(sqlite))) return;
  moveQuotas(sqlite, join(dirname(file), COUNTERS_FILE));
  sqlite.exec(`
    BEGIN IMMEDIATE;
    ${LAST_STEP};
    DROP TABLE quotas;
    ALTER TABLE claims RENAME TO old_claims;
    CREATE TABLE claims (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
    INSERT INTO claims SELECT name, at FROM old_claims;
    DROP TABLE old_claims;
    CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT;
    INSERT INTO migrations VALUES ('${migrations[0]?.name}');
    PRAGMA user_version = 0;
    COMMIT`);
}

function moveQuotas(sqlite: DatabaseSync, countersFile: string): void {
  const counters = new DatabaseSync(countersFile);
  try {
    createQuotasTable(counters);
  } finally {
    counters.close();
  }
  sqlite.prepare('ATTACH ? AS counters').run(countersFile);
  const columns = sqlite.prepare("SELECT name FROM pragma_table_info('quotas', 'main')").all();
  const columnNames = columns.map(({ name }) => String(name)).join(', ');
  sqlite.exec(
    `INSERT OR IGNORE INTO counters.quotas (${columnNames}) SELECT ${columnNames} FROM main.quotas; DETACH counters`,
  );
}
