import { startStopwatch } from './stopwatch.ts';

/** Waits until a condition holds. Throws after `ms`: long, because machines that run tests may be slow. */
export async function until(holds: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  const stopwatch = startStopwatch();
  try {
    while (!(await holds())) {
      if (stopwatch.ms > ms) throw new Error(`did not come true within ${ms} ms: ${holds.toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    stopwatch.stop();
  }
}
