const TICK_MS = 5;

export interface Stopwatch {
  /** So far, in ms. */
  readonly ms: number;
  /** @returns the ms until now */
  stop(): number;
}

/**
 * Measures how long something waits. Where this process gets no CPU, because the machine is busy with something else,
 * its ticks come late, and what they are late by is not counted: a limit that a test asserts is one of the gateway, not
 * of the machine. For the same reason it does not measure how long something computes.
 */
export function startStopwatch(): Stopwatch {
  let counted = 0;
  let last = performance.now();
  const count = () => {
    const now = performance.now();
    counted += Math.min(now - last, 2 * TICK_MS);
    last = now;
  };
  const timer = setInterval(count, TICK_MS).unref();
  return {
    get ms() {
      count();
      return counted;
    },
    stop() {
      clearInterval(timer);
      count();
      return counted;
    },
  };
}

/** How long an operation waited, and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const stopwatch = startStopwatch();
  try {
    const value = await work();
    return { ms: stopwatch.stop(), value };
  } finally {
    stopwatch.stop();
  }
}
