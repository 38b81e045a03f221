import type { Installation } from '../storage/sqlite-backup.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

/** The installation that `backup` and `restore` work on. */
interface SqliteInstallation extends Installation {
  /** Whether counters and bans are stored in a file instead of Redis. */
  readonly hasCounters: boolean;
}

/** @throws Failure if the records are in PostgreSQL; ConfigError */
export async function findSqliteInstallation(io: Io, onPostgres: string): Promise<SqliteInstallation> {
  const { loadLocations } = await import('../config/load.ts');
  const { TOKEN_FILE } = await import('../control-plane/admin/access/admin-tokens.ts');
  const { database, store, dataDir } = loadLocations(io.env, io.cwd);
  if (database.kind === 'postgres') throw new Failure(onPostgres);
  return { records: database.file, dataDir, otherFiles: [TOKEN_FILE], hasCounters: store.kind === 'embedded' };
}

/** Descriptions of the files in a backup. */
export const FILE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'tollgate.db': 'keys, plans, accounts, webhooks, events and the audit log',
  'counters.db': 'counters and bans',
  'history.db': 'the history',
  'admin-token': 'the admin token',
};
