import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Breaker } from '../../../../src/data-plane/admission/resilient/breaker.ts';
import { TIMEOUT_FAILURE } from '../../../../src/storage/redis/redis-failure.ts';

let works: boolean;
let probes: number;
let notifications: string[];
let breaker: Breaker;

beforeEach(() => {
  jest.useFakeTimers();
  [works, probes, notifications] = [false, 0, []];
  breaker = new Breaker({
    async probe() {
      probes++;
      if (!works) throw new Error('still away');
    },
    onOpen: ({ kind }) => void notifications.push(kind),
    onClose: (ms) => void notifications.push(`closed after ${ms}`),
  });
});
afterEach(() => {
  breaker.stop();
  jest.useRealTimers();
});

test('an opened breaker probes immediately and at intervals, and closes at the first success', async () => {
  breaker.open(TIMEOUT_FAILURE);
  breaker.open(TIMEOUT_FAILURE);
  expect(breaker.failure).toBe(TIMEOUT_FAILURE);
  await jest.advanceTimersByTimeAsync(1);
  expect(probes).toBe(1);
  await jest.advanceTimersByTimeAsync(1000);
  expect(probes).toBe(6);
  works = true;
  await jest.advanceTimersByTimeAsync(200);
  expect(breaker.failure).toBeNull();
  expect(notifications).toEqual(['timeout', expect.stringMatching(/^closed after \d+/)]);
  await jest.advanceTimersByTimeAsync(5000);
  expect(probes).toBe(7);
});

test('the breaker stays open longer each time if probes succeed but requests fail', async () => {
  works = true;
  for (let second = 0; second < 100; second++) {
    breaker.open(TIMEOUT_FAILURE);
    await jest.advanceTimersByTimeAsync(100);
  }
  // The breaker does not open once per attempt: the attempts take 10 s, and each opening lasts up to 1.6 s.
  expect(notifications.filter((line) => line === 'timeout').length).toBeLessThan(12);
});

test('failures open the breaker only if no success comes between them', () => {
  for (let i = 0; i < 4; i++) breaker.recordFailure(TIMEOUT_FAILURE);
  breaker.recordSuccess();
  for (let i = 0; i < 4; i++) breaker.recordFailure(TIMEOUT_FAILURE);
  expect(breaker.failure).toBeNull();
  breaker.recordFailure(TIMEOUT_FAILURE);
  expect(breaker.failure).toBe(TIMEOUT_FAILURE);
});

test('a stopped breaker no longer probes', async () => {
  breaker.open(TIMEOUT_FAILURE);
  breaker.stop();
  await jest.advanceTimersByTimeAsync(1000);
  expect(probes).toBe(0);
});
