import { expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { Shutdown, type Stage } from '../src/shutdown.ts';

function opened(stages: readonly Stage[]): { shutdown: Shutdown; closed: string[] } {
  const closed: string[] = [];
  const shutdown = new Shutdown();
  for (const [index, stage] of stages.entries()) shutdown.add(stage, () => void closed.push(`${stage} ${index}`));
  return { shutdown, closed };
}

test('closes in its own order, whatever the order of opening; within a stage, the last opened first', async () => {
  const { shutdown, closed } = opened([
    'admin server',
    'database',
    'upstreams',
    'public server',
    'upstreams',
    'counts',
  ]);
  await shutdown.run();
  expect(closed).toEqual(['public server 3', 'counts 5', 'upstreams 4', 'upstreams 2', 'admin server 0', 'database 1']);
});

test('a failure does not keep the rest open, and is told', async () => {
  const { shutdown, closed } = opened(['database', 'counts']);
  const failure = new Error('cannot be closed');
  shutdown.add('upstreams', () => Promise.reject(failure));
  await expect(shutdown.run()).rejects.toBe(failure);
  expect(closed).toEqual(['counts 1', 'database 0']);
});

test('a drain is told at once, finishes what is served, and then closes; a second call joins it', async () => {
  const { shutdown, closed } = opened(['database']);
  const publicServer = { drain: async (deadlineMs: number) => void closed.push(`drained within ${deadlineMs}`) };
  const settings = { lameDuck: 1, deadline: 7 };
  expect(shutdown.isDraining).toBe(false);
  const drained = shutdown.drain([publicServer], settings);
  expect(shutdown.isDraining).toBe(true);
  expect(closed).toEqual([]);
  expect(shutdown.drain([publicServer], settings)).toBe(drained);
  await drained;
  expect(closed).toEqual(['drained within 7', 'database 0']);
});

test('after a failed start, what never closes is not waited for', async () => {
  const { shutdown, closed } = opened(['counts']);
  const stuck = jest.fn(() => new Promise<void>(() => {}));
  shutdown.add('database', stuck);
  await shutdown.runWithin(10, pino({ level: 'silent' }));
  expect(closed).toEqual(['counts 0']);
  expect(stuck).toHaveBeenCalled();
});
