import { beforeEach, describe, expect, test } from '@jest/globals';
import { FairSemaphore, Overloaded } from '../../src/base/fair-semaphore.ts';

/**
 * The attack: a client sends many unknown keys. If all lookups shared one unbounded queue, the client could delay every
 * new client and fill the memory.
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

/** Starts a run that lasts until it is released. */
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

test('concurrency is limited, and the queues of the parties are served in turn', async () => {
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

describe('a caller without room to wait is refused immediately', () => {
  test('if its party has reached its limit of waiting callers', async () => {
    const asked = askTimes('a', 8);
    expect(await Promise.all(asked.slice(6))).toEqual(['overloaded', 'overloaded']);
    await finish();
    expect(await Promise.all(asked.slice(0, 6))).toEqual(asked.slice(0, 6).map(() => 'ran'));
  });

  test('if the total limit is reached and no other party has more callers waiting', async () => {
    const asked = ['a', 'a', 'a', 'b', 'c', 'd', 'e', 'f'].map(ask);
    expect(await ask('g')).toBe('overloaded');
    await finish();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'ran'));
  });

  test('unless another party has a longer queue, whose last caller is refused instead', async () => {
    const earlier = [...askTimes('a', 2), ...askTimes('a', 4), ...askTimes('b', 2)];
    const newCaller = ask('c');
    expect(await earlier[5]).toBe('overloaded');
    await finish();
    expect(await newCaller).toBe('ran');
    expect(ran.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });
});
