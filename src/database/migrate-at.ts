import { sqliteDialect } from './dialect.ts';
import type { DatabaseLocation } from './location.ts';
import { migrate } from './migrations.ts';
import { migratePostgres } from './postgres/postgres.ts';
import { openSqliteFile } from './sqlite/sqlite-file.ts';
import { kyselyOver } from './sqlite/sqlite-kysely.ts';
import { adoptVersionOne } from './sqlite/version-one.ts';

/**
 * Brings the tables up to date.
 *
 * @returns the names of the steps that were missing
 * @throws StartError if the database cannot be used, or is newer than this program
 */
export async function migrateAt(location: DatabaseLocation): Promise<string[]> {
  if (location.kind === 'postgres') return migratePostgres(location.url);
  let steps: string[] = [];
  const prepare = async (sqlite: Parameters<typeof kyselyOver>[0]) => {
    adoptVersionOne(sqlite, location.file);
    steps = await migrate(kyselyOver(sqlite), sqliteDialect);
  };
  (await openSqliteFile(location.file, { waitMs: 0, prepare })).close();
  return steps;
}
