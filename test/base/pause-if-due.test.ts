import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { pauseIfDue } from '../../src/base/pause-if-due.ts';
import { withEveryPause } from '../support/every-pause.ts';

test('a short computation is not paused', async () => {
  await nextTurn();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  let isPaused = false;
  setImmediate(() => (isPaused = true));
  for (let step = 0; step < 1000; step++) await pauseIfDue();
  clock.mockRestore();
  expect(isPaused).toBe(false);
});

// The pauses of several computations once added up. With three of them, requests waited three times as long.
test('concurrent computations take turns, and only one of them continues in each turn of the event loop', async () => {
  const order: string[] = [];
  const compute = async (name: string) => {
    for (let step = 0; step < 4; step++) {
      order.push(name);
      await pauseIfDue();
    }
  };
  const { turns } = await withEveryPause(() => Promise.all([compute('a'), compute('b'), compute('c')]));
  expect(order.join('')).toBe('abcabcabcabc');
  expect(turns).toBeGreaterThanOrEqual(order.length - 1);
});
