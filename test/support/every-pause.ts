import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs a computation to which every look at the clock says that a pause is due (`src/base/pause-if-due.ts`).
 *
 * @returns its result, and in how many turns of the event loop it was computed
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
