import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs a computation with a clock by which a pause is due at every check (`src/base/pause-if-due.ts`).
 *
 * @returns its result, and the number of turns of the event loop that it took
 */
export async function withEveryPause<T>(compute: () => Promise<T>): Promise<{ result: T; turns: number }> {
  // Another computation may have begun this turn.
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
