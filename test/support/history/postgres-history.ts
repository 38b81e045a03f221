import { pino } from 'pino';
import { openPostgresDatabase } from '../../../src/database/postgres/postgres.ts';
import { PostgresHistory } from '../../../src/history/postgres/postgres-history.ts';
import { SqlRegistry } from '../../../src/registry/sql-registry.ts';
import type { HistoryUnderTest } from '../../contract/history-usage.contract.ts';
import { KEEP } from './sample.ts';

export async function postgresHistory(url: string): Promise<HistoryUnderTest> {
  const database = await openPostgresDatabase(url, pino({ level: 'silent' }));
  const history = new PostgresHistory(url, KEEP);
  return {
    history,
    registry: new SqlRegistry(database),
    async dispose() {
      await history.close();
      await database.close();
    },
  };
}
