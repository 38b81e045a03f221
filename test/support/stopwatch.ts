const TICK_MS = 5;

interface Stopwatch {
  /** The elapsed time, in ms. */
  readonly ms: number;
  /** @returns the elapsed time, in ms */
  stop(): number;
}

/**
 * Measures waiting time. It leaves out the time in which this process gets no CPU on a busy machine, because tests
 * assert limits of the gateway and not of the machine. For the same reason, it cannot measure computations.
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

/** Measures how long an operation waits, in ms. Also returns the result of the operation. */
export async function measureTime<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const stopwatch = startStopwatch();
  try {
    const value = await work();
    return { ms: stopwatch.stop(), value };
  } finally {
    stopwatch.stop();
  }
}
