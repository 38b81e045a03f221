import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import type { Chunk } from '../../../../src/control-plane/history/store/history-store.ts';
import { Flush } from '../../../../src/control-plane/history/recording/flush.ts';
import { Recorder } from '../../../../src/control-plane/history/recording/recorder.ts';
import { until } from '../../../support/until.ts';

const AT = Date.UTC(2026, 0, 1, 12, 30);

let now: number;
let recorder: Recorder;
let flush: Flush;
let logs: string[];
let sent: Chunk[];
/** The errors with which the next writes fail. Further writes succeed. */
let failures: Error[];

beforeEach(() => {
  now = AT;
  logs = [];
  sent = [];
  failures = [];
  const clock = () => now;
  const logger = pino({}, { write: (line: string) => void logs.push(line) });
  recorder = new Recorder(clock);
  const write = async (chunk: Chunk) => {
    sent.push(chunk);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  };
  flush = new Flush({ recorder, store: { write }, clock, logger, retryMs: 10 });
});
afterEach(() => flush.close(100));

const record = (keys: number) => {
  for (let key = 0; key < keys; key++) recorder.record(`key_${key}`, 'listPets', 'served', 2, 1, 0, 1);
};
const unavailable = () => new StoreUnavailable('it is away');
const sequences = () => sent.map(({ sequence, rows }) => [sequence, rows.length]);

test('recorded counts are written in numbered chunks', async () => {
  record(1200);
  now = AT + 3000;
  expect([flush.pending, flush.lagMs]).toEqual([1200, 3000]);
  await flush.run();
  expect(sequences()).toEqual([
    [1, 500],
    [2, 500],
    [3, 200],
  ]);
  expect(new Set(sent.map(({ writer }) => writer)).size).toBe(1);
  expect([flush.pending, flush.lagMs, flush.failures]).toEqual([0, 0, 0]);
  await flush.run();
  expect(sent).toHaveLength(3);
});

test('a chunk that could not be written is repeated unchanged, and only complete minutes follow it', async () => {
  record(2);
  failures = [unavailable(), unavailable(), unavailable()];
  const running = flush.run();
  await until(() => sent.length === 2);
  now = AT + 60_000;
  record(1);
  now = AT + 120_000;
  record(1);
  expect([flush.pending, flush.lagMs]).toEqual([4, 120_000]);
  await running;
  expect(sequences()).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
    [1, 2],
    [2, 1],
  ]);
  expect([flush.pending, flush.failures]).toEqual([1, 3]);
  // There is one line for the failure and one for the recovery.
  expect(logs.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'history cannot be written; keeping it in memory and retrying',
    'history can be written again',
  ]);
});

test('a chunk that can never be written does not block later chunks', async () => {
  record(501);
  failures = [new RangeError('a defect')];
  await flush.run();
  expect(sequences()).toEqual([
    [1, 500],
    [2, 1],
  ]);
  expect([flush.pending, flush.lost]).toEqual([0, 500]);
});

test('closing also writes the counts that are recorded during a flush', async () => {
  record(1);
  const running = flush.run();
  record(2);
  await flush.close(1000);
  await running;
  expect(sequences()).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('closing gives up after its time limit and logs how many counts are lost', async () => {
  record(3);
  failures = Array.from({ length: 1000 }, unavailable);
  const from = performance.now();
  await flush.close(200);
  expect(performance.now() - from).toBeLessThan(60_000);
  expect(JSON.parse(logs.at(-1)!)).toMatchObject({ rows: 3, msg: 'history could not be written and is lost' });
});
