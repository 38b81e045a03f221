import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import { RefusalCollector } from '../../../../src/control-plane/history/recording/refusal-collector.ts';
import type { RefusalRecord, RepeatedRefusal } from '../../../../src/control-plane/history/store/history-store.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

/** The batches that were stored. */
let batches: RefusalRecord[][];
/** The ids of repeated refusals that were stored with the batches. */
let repeated: RepeatedRefusal[];
/** Called before a batch is stored. */
let beforeStoring: () => Promise<void>;
let failures: unknown[];
let collector: RefusalCollector;
beforeEach(() => {
  batches = [];
  repeated = [];
  failures = [];
  beforeStoring = async () => {};
  collector = new RefusalCollector({
    store: {
      async keepRefusals(refusals, ids = []) {
        await beforeStoring();
        batches.push([...refusals]);
        repeated.push(...ids);
      },
    },
    onError: (error) => failures.push(error),
  });
});
afterEach(() => collector.close(0));

const unavailable = () => Promise.reject(new StoreUnavailable('away'));
const storedIds = () => batches.flat().map(({ requestId }) => requestId);

/**
 * Reports a refusal in the same way as the request path.
 *
 * @returns the time of the window's first refusal, or null if this refusal is not stored
 */
function refuse(
  quotaId: string,
  requestId: string,
  at = NOON,
  { resetAt = 0, isTurningPoint = false, code = 'rate_limit_exceeded', keyId = quotaId } = {},
): number | null {
  const since = collector.note({ requestId, quotaId, keyId, code, at, resetAt, isTurningPoint });
  if (since !== null) collector.add({ requestId, quotaId, keyId, at, facts: {} });
  return since;
}

test('the first refusals per key, reason and minute are stored, and the others are only counted', async () => {
  for (let index = 0; index < 8; index++) refuse('a', `a${index}`, NOON + index);
  refuse('b', 'b0');
  refuse('a', 'a-banned', NOON, { isTurningPoint: true });
  refuse('a', 'a-next', NOON + 60_000);
  await collector.flush();
  expect(storedIds()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'a-banned', 'a-next']);
  expect(collector.leftOut).toEqual({ repeated: 3, dropped: 0 });
});

/**
 * Refusals because of a limit once used up the number that is stored, so that only one refusal because of the following
 * ban was stored.
 */
test('refusals for different reasons or of different keys are stored independently of each other', async () => {
  for (let index = 0; index < 8; index++) refuse('a', `limit-${index}`);
  for (let index = 0; index < 8; index++) refuse('a', `ban-${index}`, NOON, { code: 'key_banned' });
  refuse('a', 'other-key', NOON, { keyId: 'b' });
  await collector.flush();
  expect(storedIds()).toEqual([
    ...[0, 1, 2, 3, 4].map((index) => `limit-${index}`),
    ...[0, 1, 2, 3, 4].map((index) => `ban-${index}`),
    'other-key',
  ]);
});

test('the id of a refusal that is not stored leads to a stored one of the same key, reason and minute', async () => {
  for (let index = 0; index < 7; index++) refuse('a', `limit-${index}`, NOON + index);
  for (let index = 0; index < 6; index++) refuse('a', `ban-${index}`, NOON + 10 + index, { code: 'key_banned' });
  // One client sends its id again, and another one sends an id in another minute.
  refuse('a', 'limit-4', NOON + 20);
  refuse('a', 'next', NOON + 60_000);
  await collector.flush();
  expect(repeated).toEqual([
    { requestId: 'limit-5', keyId: 'a', storedId: 'limit-4', at: NOON + 4 },
    { requestId: 'limit-6', keyId: 'a', storedId: 'limit-4', at: NOON + 4 },
    { requestId: 'ban-5', keyId: 'a', storedId: 'ban-4', at: NOON + 14 },
  ]);
});

test('at most a thousand ids per key, reason and minute are remembered, and five thousand in total', async () => {
  for (let key = 0; key < 6; key++) {
    for (let index = 0; index < 1010; index++) refuse(`q${key}`, `${key}-${index}`);
  }
  await collector.flush();
  const countIds = (key: string) => repeated.filter(({ keyId }) => keyId === key).length;
  expect([0, 1, 2, 3, 4, 5].map((key) => countIds(`q${key}`))).toEqual([1000, 1000, 1000, 1000, 1000, 0]);
});

test('the time of the first refusal of a window is known even if that refusal was not stored', () => {
  const minute = NOON + 90_000;
  for (let index = 0; index < 5; index++) refuse('a', `x${index}`, NOON);
  expect(refuse('a', 'first', NOON + 40_000, { resetAt: minute })).toBeNull();
  expect(refuse('a', 'later', NOON + 70_000, { resetAt: minute })).toBe(NOON + 40_000);
  expect(refuse('a', 'next window', NOON + 100_000, { resetAt: NOON + 150_000 })).toBe(NOON + 100_000);
});

test('refusals are sent to the store about once a second', async () => {
  jest.useFakeTimers();
  try {
    refuse('a', 'a0');
    await jest.advanceTimersByTimeAsync(900);
    expect(batches).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(storedIds()).toEqual(['a0']);
  } finally {
    jest.useRealTimers();
  }
});

/** Reports one refusal for each of many quotas. At most a thousand a minute are stored. */
function refuseMany(count: number): void {
  for (let index = 0; index < count; index++) {
    refuse(`q${index}`, `r${index}`, NOON + Math.floor(index / 1000) * 60_000);
  }
}

test('many refusals are sent in batches of 500', async () => {
  refuseMany(1100);
  await collector.flush();
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 100]);
});

/** With many keys, even a few refusals of each would fill the disk in two days. */
test('at most a thousand refusals per minute are stored for all quotas together', async () => {
  for (let index = 0; index < 1003; index++) refuse(`q${index}`, `r${index}`, NOON + index);
  refuse('next', 'next', NOON + 60_000);
  await collector.flush();
  expect(storedIds()).toHaveLength(1001);
  expect(storedIds().at(-1)).toBe('next');
  expect(collector.leftOut).toEqual({ repeated: 0, dropped: 3 });
});

test('refusals wait for an unavailable store, up to a limit, and each is sent once', async () => {
  beforeStoring = unavailable;
  refuseMany(5500);
  await collector.flush();
  expect(batches).toEqual([]);
  expect(collector.leftOut).toEqual({ repeated: 0, dropped: 500 });
  beforeStoring = async () => {};
  await collector.flush();
  await collector.flush();
  expect(storedIds()).toEqual(Array.from({ length: 5000 }, (_, index) => `r${index}`));
  expect(failures).toEqual([]);
});

/** If the rejected record were kept, it would block all later ones. */
test('refusals that the store rejects are dropped and reported, and later ones are stored', async () => {
  const error = new TypeError('cannot be serialized');
  beforeStoring = () => Promise.reject(error);
  refuse('a', 'a0');
  await collector.flush();
  beforeStoring = async () => {};
  refuse('a', 'a1');
  await collector.flush();
  expect([failures, storedIds()]).toEqual([[error], ['a1']]);
  expect(collector.leftOut).toEqual({ repeated: 0, dropped: 1 });
});

test('refusals that arrive while a batch is being sent are sent after it', async () => {
  let release = () => {};
  beforeStoring = () => new Promise((resolve) => (release = resolve));
  refuse('a', 'a0');
  const flushed = collector.flush();
  refuse('a', 'a1');
  beforeStoring = async () => {};
  release();
  await flushed;
  expect(batches.map((batch) => batch.map(({ requestId }) => requestId))).toEqual([['a0'], ['a1']]);
});

test('closing sends the remaining refusals, but does not wait for an unresponsive store', async () => {
  refuse('a', 'a0');
  await collector.close(1000);
  expect(storedIds()).toEqual(['a0']);
  expect(refuse('a', 'too late')).toBeNull();

  collector = new RefusalCollector({ store: { keepRefusals: () => new Promise(() => {}) }, onError() {} });
  refuse('a', 'a1');
  const startedAt = performance.now();
  await collector.close(50);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect(collector.leftOut).toEqual({ repeated: 0, dropped: 1 });
});
