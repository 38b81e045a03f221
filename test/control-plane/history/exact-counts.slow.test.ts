/** If a database is killed while gateways write, each count is still exact and each refusal is stored only once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { RefusalCollector } from '../../../src/control-plane/history/recording/refusal-collector.ts';
import { type HistoryDatabase, postgresHistoryDatabase } from '../../support/history/history-database.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';
import { until } from '../../support/until.ts';
import { countsExactly, expectExactCounts } from './exact-counts.contract.ts';

let server: PostgresServer;
let database: HistoryDatabase | undefined;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterEach(async () => {
  if (!server.isRunning) await server.start();
  await database?.dispose();
  database = undefined;
});
afterAll(() => server.stop());

countsExactly(180_000, () => Promise.resolve(server));

test('counts of four gateways are exact even if PostgreSQL is killed during writes', async () => {
  database = await postgresHistoryDatabase(server);
  await expectExactCounts(database, {
    requests: 80_000,
    perFlush: 40_000,
    gateways: 4,
    async during(round) {
      // Some chunks are written, some are in flight, and the rest are queued.
      await sleep(150);
      if (round % 2 === 0) return;
      await server.kill();
      await server.start();
    },
  });
});

test('each refusal is stored once even if PostgreSQL is killed while refusals are sent', async () => {
  database = await postgresHistoryDatabase(server);
  const store = await database.open();
  const failures: unknown[] = [];
  const refusals = new RefusalCollector({ store, onError: (error) => failures.push(error) });
  const refuse = (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      refusals.add({ requestId: `r${index}`, quotaId: 'q', keyId: 'k', at: index, facts: { index } });
    }
  };
  const storedIds = async () =>
    (await database!.rows('SELECT request_id FROM refusals ORDER BY at')).map((row) => row['request_id']);
  const countLocks = async (which: string) =>
    (await database!.rows(`SELECT 1 FROM pg_locks WHERE relation = 'refusals'::regclass AND ${which}`)).length;
  refuse(0, 1000);
  await refusals.flush();
  // One batch is in flight, and the rest are queued.
  const locked = database.rows(
    'DO $$ BEGIN LOCK TABLE refusals IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(30); END $$',
  );
  locked.catch(() => undefined);
  await until(async () => (await countLocks("mode = 'AccessExclusiveLock' AND granted")) === 1);
  refuse(1000, 4000);
  const flushed = refusals.flush();
  await until(async () => (await countLocks('NOT granted')) === 1);
  await server.kill();
  await flushed;
  refuse(4000, 4500);
  await server.start();
  expect((await storedIds()).length).toBeLessThan(4000);
  for (let tries = 0; tries < 50 && (await storedIds()).length < 4500; tries++) await refusals.flush();
  expect(await storedIds()).toEqual(Array.from({ length: 4500 }, (_, index) => `r${index}`));
  expect([failures, refusals.leftOut]).toEqual([[], { repeated: 0, dropped: 0 }]);
  await refusals.close(1000);
  await store.close();
});
