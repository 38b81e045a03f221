import { startStopwatch } from './stopwatch.ts';

/**
 * The time limit for a condition. It is long enough for a machine that is ten times slower than usual, so only
 * conditions that never hold reach it.
 */
export const WAIT_LIMIT_MS = 120_000;

/** Waits until a condition holds. Throws after `WAIT_LIMIT_MS`. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const stopwatch = startStopwatch();
  try {
    while (!(await holds())) {
      if (stopwatch.ms > WAIT_LIMIT_MS)
        throw new Error(`did not come true within ${WAIT_LIMIT_MS} ms: ${holds.toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    stopwatch.stop();
  }
}
