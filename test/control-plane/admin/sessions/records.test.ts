import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { pino } from 'pino';
import { ConsoleSessions } from '../../../../src/control-plane/admin/access/console-sessions.ts';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import { openReadyPostgres } from '../../../support/servers/open-postgres.ts';
import { openSqliteDatabase } from '../../../../src/storage/sqlite.ts';
import { sessionsContract } from '../../../contract/sessions.contract.ts';
import { expectError, startAdmin, TOKEN } from '../../../support/gateway/admin.ts';
import { createBrowser } from '../../../support/gateway/browser.ts';
import type { PostgresDatabases } from '../../../support/servers/postgres-databases.ts';
import { startPostgresProxy } from '../../../support/servers/postgres-proxy.ts';
import { sharedPostgres } from '../../../support/servers/shared-servers.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const logger = pino({ level: 'silent' });

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

sessionsContract('SQLite', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  return {
    sessions: new ConsoleSessions(database, logger),
    peer: new ConsoleSessions(database, logger),
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
});

sessionsContract('PostgreSQL', async () => {
  const url = await postgres.borrowDatabase();
  const [one, other] = [await openReadyPostgres(url, logger), await openReadyPostgres(url, logger)];
  return {
    sessions: new ConsoleSessions(one, logger),
    peer: new ConsoleSessions(other, logger),
    async dispose() {
      await Promise.all([one.close(), other.close()]);
      await postgres.releaseDatabase(url);
    },
  };
});

test('while the database is unavailable, a cookie gets 503 within seconds, and a token keeps working', async () => {
  const proxy = await startPostgresProxy(postgres.port);
  const database = await openReadyPostgres(proxy.through(await postgres.borrowDatabase()), logger);
  const sessions = new ConsoleSessions(database, logger);
  const admin = await startAdmin({ sessions });
  const attempt = { token: null, json: { token: TOKEN } };
  const signedIn = await admin.call('POST', '/v1/session', attempt);
  const browser = createBrowser(admin, signedIn.headers.getSetCookie()[0]!.split(';', 1)[0]!);
  expect((await browser.get('/v1/session')).status).toBe(200);

  proxy.stop();
  await expect(sessions.list(0)).rejects.toThrow(StoreUnavailable);
  const startedAt = performance.now();
  expectError(await browser.get('/v1/keys'), 503, 'store_unavailable');
  expectError(await admin.call('POST', '/v1/session', attempt), 503, 'store_unavailable');
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect((await admin.get('/v1/session')).status).toBe(200);

  await admin.stop();
  await database.close();
});
