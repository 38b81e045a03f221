import { expect, test } from '@jest/globals';
import { events } from '../../support/history/event-generator.ts';
import {
  type HistoryDatabase,
  postgresHistoryDatabase,
  sqliteHistoryDatabase,
} from '../../support/history/history-database.ts';
import { findDifferences, HistoryModel, readStoredSums } from '../../support/history/history-model.ts';
import { RecordingGateway } from '../../support/history/recording-gateway.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';

const SEED = 20_260_131;

interface Run {
  readonly requests: number;
  /** The number of requests between two flushes. */
  readonly perFlush: number;
  readonly gateways: number;
  /** Called after a round of flushes has begun. */
  readonly during?: (round: number) => Promise<void>;
}

/**
 * Distributes generated requests over the gateways, flushes in between, and drains at the end. Then asserts that every
 * stored count equals the count of the generator, at every resolution.
 */
export async function expectExactCounts(into: HistoryDatabase, run: Run): Promise<void> {
  const { requests, perFlush, during } = run;
  const gateways = await Promise.all(Array.from({ length: run.gateways }, () => RecordingGateway.open(into)));
  const model = new HistoryModel();
  let index = 0;
  for (const event of events(requests, SEED)) {
    model.add(event);
    gateways[index % gateways.length]?.record(event);
    if (++index % perFlush !== 0) continue;
    const flushed = Promise.all(gateways.map(({ flush }) => flush.run()));
    if (during === undefined) await flushed;
    else await during(index / perFlush);
  }
  await Promise.all(gateways.map((gateway) => gateway.drain()));
  expect(gateways.map(({ flush }) => [flush.pending, flush.lost])).toEqual(gateways.map(() => [0, 0]));
  expect(findDifferences(model.sums(), await readStoredSums(into))).toEqual([]);
}

/** Declares a test that records more requests than four flushes write. */
export function countsExactly(requests: number, server: () => Promise<PostgresDatabases>): void {
  const perFlush = Math.floor(requests / 4.5);

  test(`counts of ${requests} requests are exact with one gateway and SQLite`, async () => {
    const database = await sqliteHistoryDatabase();
    await expectExactCounts(database, { requests, perFlush, gateways: 1 });
    await database.dispose();
  });

  test(`counts of ${requests} requests are exact with four gateways and PostgreSQL`, async () => {
    const database = await postgresHistoryDatabase(await server());
    await expectExactCounts(database, { requests, perFlush, gateways: 4 });
    await database.dispose();
  });
}
