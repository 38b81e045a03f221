import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs a computation with a clock that makes a pause due at every check (`src/base/pause-if-due.ts`).
 *
 * @returns the result, and the number of turns of the event loop that the computation took
 */
export async function withEveryPause<T>(compute: () => Promise<T>): Promise<{ result: T; turns: number }> {
  // Wait for a fresh turn, because another computation may have used a part of this one.
  await nextTurn();
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  let turns = 1;
  let isOver = false;
  const takeTurn = () => {
    turns++;
    if (!isOver) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  try {
    return { result: await compute(), turns };
  } finally {
    isOver = true;
    clock.mockRestore();
  }
}
