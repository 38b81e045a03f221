import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../../src/petstore/store/database.ts';
import { Relay, type OutgoingEvent, type PublishAll } from '../../../src/petstore/relay.ts';
import { createStore, type Store } from '../../../src/petstore/store/index.ts';
import { until } from '../../support/until.ts';
import type { LogLine } from '../../support/petstore/petstore.ts';
import { measureTime } from '../../support/stopwatch.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let database: DatabaseSync;
let store: Store;
let relay: Relay | undefined;
let log: LogLine[];
beforeEach(async () => {
  const logger = { warn: () => {} };
  database = await openDatabase(join(temporaryDirectory(), 'pets.db'), { durability: 'normal', logger });
  store = createStore(database, { types: new Set(['pet.created']), onEventsAdded: () => relay?.wake() });
  log = [];
});
afterEach(async () => {
  await relay?.close();
  relay = undefined;
  if (database.isOpen) database.close();
});

function start(publishAll: PublishAll): Relay {
  const line = (level: string) => (fields: object, message: string) => void log.push({ level, message, ...fields });
  const logger = { info: line('info'), warn: line('warn'), error: line('error') };
  relay = new Relay(store, publishAll, { logger, gatherMs: 1, pauseMs: 1 });
  relay.wake();
  return relay;
}

function addEvents(...numbers: number[]): void {
  store.transaction(() => {
    for (const n of numbers) store.addEvents({ type: 'pet.created', subject: BigInt(n), data: `{"n":${n}}` });
  });
}

const listWaiting = () => store.outbox.first(1000).map(({ subject }) => Number(subject));
const listNumbers = (events: readonly OutgoingEvent[]) => events.map(({ subject }) => Number(subject));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const refusal = (index: number) => Object.assign(new Error('it does not fit'), { name: 'EventRefused', index });

test('waiting events are published first, in order, in batches', async () => {
  addEvents(...range(1, 600));
  const batches: number[][] = [];
  start(async (events) => void batches.push(listNumbers(events)));
  addEvents(601);
  await until(() => batches.flat().length === 601);
  expect(batches).toEqual([range(1, 250), range(251, 500), range(501, 601)]);
  addEvents(602);
  await until(() => batches.length === 4);
  expect(listWaiting()).toEqual([]);
});

test('events during a batch are published next', async () => {
  const batches: number[][] = [];
  start(async (events) => {
    batches.push(listNumbers(events));
    if (batches.length === 1) addEvents(3);
    await Promise.resolve();
    if (batches.length === 2) addEvents(4);
  });
  addEvents(1, 2);
  await until(() => batches.length === 3);
  expect(batches).toEqual([[1, 2], [3], [4]]);
});

test('events wait while publishing fails, and the failure is logged once', async () => {
  let failures = 0;
  const taken: OutgoingEvent[] = [];
  start(async (events) => {
    if (failures < 5) throw new Error(`the database is away${failures++ < 3 ? '' : ' still'}`);
    taken.push(...events);
  });
  addEvents(1);
  addEvents(2);
  await until(() => taken.length === 2);
  await until(() => listWaiting().length === 0);
  expect(log.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'events cannot be published; retrying'],
    ['warn', 'events cannot be published; retrying'],
    ['info', 'events can be published again'],
  ]);
});

function catchRefusal(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

test('a change that would exceed the maximum number of waiting events is refused', async () => {
  store = createStore(database, { types: new Set(['pet.created']), onEventsAdded: () => relay?.wake(), maxWaiting: 3 });
  addEvents(1, 2);
  const full = { code: 'overloaded', status: 503, headers: { 'Retry-After': '30' } };
  expect(catchRefusal(() => addEvents(3, 4))).toMatchObject(full);
  expect(listWaiting()).toEqual([1, 2]);
  addEvents(3);
  expect(catchRefusal(() => addEvents(4))).toMatchObject(full);
  // Events that nobody subscribes to are not stored.
  store.transaction(() => store.addEvents({ type: 'pet.deleted', subject: 4n, data: '{}' }));
  start(async () => {});
  await until(() => listWaiting().length === 0);
  addEvents(5, 6, 7);
});

test('events published without a response are published again with the same id', async () => {
  const calls: OutgoingEvent[][] = [];
  start(async (events) => {
    calls.push([...events]);
    if (calls.length === 1) throw new Error('no answer');
  });
  addEvents(1, 2);
  await until(() => calls.length === 2 && listWaiting().length === 0);
  expect(calls[1]).toEqual(calls[0]);
});

test('a refused event is logged, and does not block the others', async () => {
  const taken: number[] = [];
  start(async (events) => {
    const index = events.findIndex(({ subject }) => subject === '2' || subject === '4');
    if (index !== -1) throw refusal(index);
    taken.push(...listNumbers(events));
  });
  addEvents(1, 2, 3, 4);
  await until(() => listWaiting().length === 0);
  expect(taken).toEqual([1, 3]);
  expect(log).toEqual(
    ['2', '4'].map((subject) => ({
      level: 'error',
      message: 'event rejected and lost',
      err: expect.objectContaining({ message: 'it does not fit' }),
      event: { id: expect.any(String), type: 'pet.created', subject },
    })),
  );
});

test('a refusal without an index of an event is treated like any other failure', async () => {
  let calls = 0;
  start(async () => {
    if (calls++ < 2) throw refusal(7);
  });
  addEvents(1);
  await until(() => calls === 3 && listWaiting().length === 0);
  expect(log.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('closing publishes waiting events', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const calls: number[][] = [];
  const closing = start(async (events) => {
    calls.push(listNumbers(events));
    await held;
  });
  addEvents(...range(1, 300));
  await until(() => calls.length === 1);
  let isClosed = false;
  const closed = closing.close().then(() => (isClosed = true));
  addEvents(301);
  await Promise.resolve();
  expect(isClosed).toBe(false);
  release();
  await closed;
  expect(calls).toEqual([range(1, 250), range(251, 301)]);
  expect(listWaiting()).toEqual([]);
  // Nothing is published after closing.
  addEvents(302);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([calls.length, listWaiting()]).toEqual([2, [302]]);
});

test('closing leaves unpublished events for the next start', async () => {
  const calls: number[][] = [];
  const closing = start(async (events) => {
    calls.push(listNumbers(events));
    throw new Error('away');
  });
  addEvents(1);
  await until(() => calls.length > 2);
  await closing.close();
  const before = calls.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([calls.length, listWaiting()]).toEqual([before, [1]]);
});

test('closing ends after a time limit, and nothing happens afterwards', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let calls = 0;
  const closing = start(() => {
    calls++;
    return held;
  });
  addEvents(1);
  await until(() => calls === 1);
  expect((await measureTime(() => closing.close())).ms).toBeLessThan(60_000);
  database.close();
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([calls, log]).toEqual([1, []]);
});

test('closing during a pause ends the pause', async () => {
  let calls = 0;
  const line = () => {};
  relay = new Relay(
    store,
    async () => {
      calls++;
      throw new Error('away');
    },
    { logger: { info: line, warn: line, error: line }, gatherMs: 1, pauseMs: 600_000 },
  );
  addEvents(1);
  await until(() => calls === 1);
  expect((await measureTime(() => relay!.close())).ms).toBeLessThan(300_000);
  expect(listWaiting()).toEqual([1]);
});
