import { expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { closeTogether, Shutdown } from '../src/shutdown.ts';

function createShutdown(names: readonly string[]): { shutdown: Shutdown; closed: string[] } {
  const closed: string[] = [];
  const shutdown = new Shutdown(pino({ level: 'silent' }));
  for (const name of names) shutdown.add(name, () => void closed.push(name));
  return { shutdown, closed };
}

test('resources are closed in reverse order', async () => {
  const { shutdown, closed } = createShutdown(['database', 'upstreams', 'public server']);
  await shutdown.run();
  expect(closed).toEqual(['public server', 'upstreams', 'database']);
});

test('a failure is reported and does not prevent closing the remaining resources', async () => {
  const { shutdown, closed } = createShutdown(['database']);
  const failure = new Error('cannot be closed');
  shutdown.add('upstreams', () => Promise.reject(failure));
  shutdown.add('public server', () => void closed.push('public server'));
  await expect(shutdown.run()).rejects.toBe(failure);
  expect(closed).toEqual(['public server', 'database']);
});

test('closing several resources together waits for all of them, even if one fails', async () => {
  const closed: string[] = [];
  const failure = new Error('cannot be closed');
  const late = async () => {
    await new Promise(setImmediate);
    closed.push('late');
  };
  await expect(closeTogether([() => Promise.reject(failure), late])).rejects.toBe(failure);
  expect(closed).toEqual(['late']);
});

test('a drain is visible immediately, finishes requests and then closes, and a second call returns the same promise', async () => {
  const { shutdown, closed } = createShutdown(['database']);
  let remaining = 0;
  shutdown.add('upstreams', (remainingMs) => void (remaining = remainingMs));
  const publicServer = { drain: async (deadlineMs: number) => void closed.push(`drained within ${deadlineMs}`) };
  const settings = { lameDuck: 1, deadline: 60_000 };
  expect(shutdown.isDraining).toBe(false);
  const drained = shutdown.drain([publicServer], settings);
  expect(shutdown.isDraining).toBe(true);
  expect(closed).toEqual([]);
  expect(shutdown.drain([publicServer], settings)).toBe(drained);
  await drained;
  expect(closed).toEqual(['drained within 60000', 'database']);
  expect(remaining).toBeGreaterThan(0);
  expect(remaining).toBeLessThanOrEqual(60_000);
});

test('after a failed start, resources that never close do not block the exit', async () => {
  const { shutdown } = createShutdown(['counts']);
  const stuck = jest.fn(() => new Promise<void>(() => {}));
  shutdown.add('upstreams', stuck);
  await shutdown.runWithin(10);
  expect(stuck).toHaveBeenCalled();
});
