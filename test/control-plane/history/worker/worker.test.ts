import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { rmSync, writeFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StartError, StoreUnavailable } from '../../../../src/base/error-types.ts';
import { Flush } from '../../../../src/control-plane/history/recording/flush.ts';
import { Recorder } from '../../../../src/control-plane/history/recording/recorder.ts';
import type { HistoryStore } from '../../../../src/control-plane/history/store/history-store.ts';
import { openHistoryClient } from '../../../../src/control-plane/history/worker/history-client.ts';
import {
  type HistoryDatabase,
  keep,
  logger,
  sqliteHistoryDatabase,
} from '../../../support/history/history-database.ts';
import { until } from '../../../support/until.ts';

let database: HistoryDatabase;
let client: HistoryStore | undefined;
/** The threads that were started, the newest last. */
const threads: Worker[] = [];
const onThread: ChannelListener = (message) => void threads.push((message as { worker: Worker }).worker);

beforeEach(async () => {
  subscribe('worker_threads', onThread);
  database = await sqliteHistoryDatabase();
});
afterEach(async () => {
  unsubscribe('worker_threads', onThread);
  await client?.close();
  client = undefined;
  await database.dispose();
});

const open = () =>
  openHistoryClient({ records: database.location, file: database.historyFile, keep, waitMs: 0 }, logger);
const requests = async () => {
  const [sum] = await database.rows('SELECT sum(requests) AS sum FROM usage_minutes WHERE key_no <> 1');
  return sum?.['sum'];
};

test('calls to a history thread that dies are rejected, and the next thread counts each request once', async () => {
  client = await open();
  const recorder = new Recorder(Date.now);
  const flush = new Flush({ recorder, store: client, clock: Date.now, logger, retryMs: 10 });
  for (let key = 0; key < 2000; key++) recorder.record(`key_${key}`, 'listPets', 'served', 2, 1, 0, 1);
  const running = flush.run();
  await until(() => flush.pending < 2000);
  await threads.at(-1)!.terminate();
  await expect(client.prune(0)).rejects.toThrow(StoreUnavailable);
  await running;
  expect(flush.failures).toBeGreaterThan(0);
  expect(await requests()).toBe(2000);
});

test('a history file that is not a database prevents the start', async () => {
  rmSync(database.historyFile, { force: true });
  writeFileSync(database.historyFile, 'not a database, and long enough to be seen as none'.repeat(100));
  const error = await open().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toContain(`database ${database.historyFile} is corrupt`);
});

test('a second gateway that opens the same history file is refused', async () => {
  client = await open();
  await expect(open()).rejects.toThrow(/history\.db is in use by process/);
});

test('calls to the history thread above the limit are rejected, and the others succeed', async () => {
  client = await open();
  const calls = Array.from({ length: 150 }, () => client!.prune(0));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
});
