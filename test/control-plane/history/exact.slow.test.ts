/**
 * Records generated requests over more than four flushes. After the drain, every stored count must equal the count of the
 * generator, at every resolution, even if the database was killed in the meantime.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { RefusalCollector } from '../../../src/control-plane/history/recording/refusal-collector.ts';
import { events } from '../../support/history/event-generator.ts';
import {
  type HistoryDatabase,
  postgresHistoryDatabase,
  sqliteHistoryDatabase,
} from '../../support/history/history-database.ts';
import { until } from '../../support/until.ts';
import { differences, HistoryModel, storedSums } from '../../support/history/history-model.ts';
import { RecordingGateway } from '../../support/history/recording-gateway.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';

/** Requests between two flushes, as a gateway might receive in a few seconds. */
const PER_FLUSH = 40_000;
const SEED = 20_260_131;
const REQUESTS = 180_000;

let server: PostgresServer;
let database: HistoryDatabase | undefined;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 180_000);
afterEach(async () => {
  if (!server.isRunning) await server.start();
  await database?.dispose();
  database = undefined;
});
afterAll(() => server.stop());

interface Run {
  readonly requests: number;
  readonly gateways: number;
  /** Called after each round of flushes has begun. */
  readonly during?: (round: number) => Promise<void>;
}

/** Distributes the generated requests over the gateways, flushes in between, and drains at the end. */
async function run(into: HistoryDatabase, { requests, gateways: count, during }: Run): Promise<void> {
  const gateways = await Promise.all(Array.from({ length: count }, () => RecordingGateway.open(into)));
  let index = 0;
  for (const event of events(requests, SEED)) {
    gateways[index % count]?.record(event);
    if (++index % PER_FLUSH !== 0) continue;
    const flushed = Promise.all(gateways.map(({ flush }) => flush.run()));
    if (during === undefined) await flushed;
    else await during(index / PER_FLUSH);
  }
  await Promise.all(gateways.map((gateway) => gateway.drain()));
  expect(gateways.map(({ flush }) => [flush.pending, flush.lost])).toEqual(gateways.map(() => [0, 0]));
}

const expected = new Map<number, Map<string, number>>();

/** Expected sums for this number of generated requests. Cached, because they are the same for every database. */
function expectedSums(requests: number): Map<string, number> {
  let sums = expected.get(requests);
  if (sums === undefined) {
    const model = new HistoryModel();
    for (const event of events(requests, SEED)) model.add(event);
    sums = model.sums();
    expected.set(requests, sums);
  }
  return sums;
}

test('counts are exact with one gateway and SQLite', async () => {
  database = await sqliteHistoryDatabase();
  await run(database, { requests: REQUESTS, gateways: 1 });
  expect(differences(expectedSums(REQUESTS), await storedSums(database))).toEqual([]);
}, 180_000);

test('counts are exact with four gateways and PostgreSQL', async () => {
  database = await postgresHistoryDatabase(server);
  await run(database, { requests: REQUESTS, gateways: 4 });
  expect(differences(expectedSums(REQUESTS), await storedSums(database))).toEqual([]);
}, 180_000);

test('counts are exact with four gateways if PostgreSQL is killed during writes', async () => {
  database = await postgresHistoryDatabase(server);
  await run(database, {
    requests: 80_000,
    gateways: 4,
    async during(round) {
      // Some chunks are written, some are in flight, and the rest are queued.
      await sleep(150);
      if (round % 2 === 0) return;
      await server.kill();
      await server.start();
    },
  });
  expect(differences(expectedSums(80_000), await storedSums(database))).toEqual([]);
}, 180_000);

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
