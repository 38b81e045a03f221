import { beforeEach, describe, expect, test } from '@jest/globals';
import { FairSemaphore, Overloaded } from '../../src/base/fair-semaphore.ts';

/**
 * Lookups of unknown keys queued without a bound in one line: whoever sent enough junk made everybody wait who was new
 * here, and filled the memory.
 */
let ran: string[];
let release: () => Promise<void>;
let running: (() => void)[];
let semaphore: FairSemaphore;

beforeEach(() => {
  [ran, running] = [[], []];
  semaphore = new FairSemaphore({ concurrency: 2, maxWaiting: 6, maxWaitingPerParty: 4 });
  release = async () => {
    running.shift()?.();
    await settle();
  };
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for a run that lasts until it is released. */
function ask(party: string): Promise<'ran' | 'overloaded'> {
  const run = semaphore.run(party, async () => {
    ran.push(party);
    await new Promise<void>((resolve) => running.push(resolve));
    return 'ran' as const;
  });
  return run.catch((error: unknown) => {
    expect(error).toBeInstanceOf(Overloaded);
    return 'overloaded' as const;
  });
}

const askTimes = (party: string, times: number) => Array.from({ length: times }, () => ask(party));

async function finish(): Promise<void> {
  while (running.length > 0) await release();
}

test('limits concurrency, and the queues of different parties take turns', async () => {
  const asked = [...askTimes('a', 5), ...askTimes('b', 2), ask('c')];
  await settle();
  expect(ran).toEqual(['a', 'a']);
  await finish();
  expect(ran.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  expect(await Promise.all(asked)).toEqual(asked.map(() => 'ran'));
});

test('a failed run frees its slot', async () => {
  for (let n = 0; n < 3; n++) {
    await expect(semaphore.run('a', () => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault');
  }
  void ask('a');
  expect(ran).toEqual(['a']);
  await finish();
});

describe('a caller without room to wait is refused immediately:', () => {
  test('beyond the limit of its party', async () => {
    const asked = askTimes('a', 8);
    expect(await Promise.all(asked.slice(6))).toEqual(['overloaded', 'overloaded']);
    await finish();
    expect(await Promise.all(asked.slice(0, 6))).toEqual(asked.slice(0, 6).map(() => 'ran'));
  });

  test('above the total limit, if no party has more waiting', async () => {
    const asked = ['a', 'a', 'a', 'b', 'c', 'd', 'e', 'f'].map(ask);
    expect(await ask('g')).toBe('overloaded');
    await finish();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'ran'));
  });

  test('above the total limit, the last caller of the longest queue instead of a newcomer', async () => {
    const crowd = [...askTimes('a', 2), ...askTimes('a', 4), ...askTimes('b', 2)];
    const newcomer = ask('c');
    expect(await crowd[5]).toBe('overloaded');
    await finish();
    expect(await newcomer).toBe('ran');
    expect(ran.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });
});
