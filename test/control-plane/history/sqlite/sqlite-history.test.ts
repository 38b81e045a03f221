import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { historyTables } from '../../../../src/storage/history-tables.ts';
import { historyStoreContract } from '../../../contract/history-store.contract.ts';
import { sqliteHistoryDatabase } from '../../../support/history/history-database.ts';

historyStoreContract('SQLite', sqliteHistoryDatabase);

test('a file from before client errors were counted is migrated once and keeps its counts', async () => {
  const database = await sqliteHistoryDatabase();
  const before = new DatabaseSync(database.historyFile);
  before.exec(`
    ${historyTables('sqlite').join(';')};
    INSERT INTO usage_days
      (key_no, at, operation_no, outcome_no, requests, refused, errors, units, refused_units, durations)
      VALUES (1, 86400000, 1, 1, 7, 2, 1, 5, 2, x'');
    PRAGMA user_version = 1`);
  before.close();
  for (let start = 1; start <= 2; start++) {
    const history = await database.open();
    const query = { from: 0, to: 2 * 86_400_000, every: 'day', limit: 10, now: 2 * 86_400_000 } as const;
    const [all] = (await history.usage(query)).series;
    expect(all?.totals).toMatchObject({ requests: 7, refused: 2, errors: 1, clientErrors: 0 });
    await history.close();
  }
  await database.dispose();
});
