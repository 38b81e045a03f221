import { createContext, Script } from 'node:vm';

/** Work was stopped because it took too long. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** Code in this context can be stopped from outside, even within a regular expression. */
const context = createContext({ work: nothing });
const run = new Script('work()');

/**
 * Maximum number of attempts. On a busy machine, the thread may wait for a processor until the limit is over, and the
 * work is not to blame.
 */
const MAX_ATTEMPTS = 5;

/**
 * Runs work that depends on input from others. Nothing else can run in the meantime, so work that takes too long is
 * stopped. If the work was stopped although it got little processor time, it is run again. A call costs about 0.2 ms,
 * so do not call this function in a loop.
 *
 * @param work synchronous; it may be stopped anywhere and run again, so it must not change shared state
 * @throws TookTooLong
 */
export function runWithin<T>(limitMs: number, work: () => T): T {
  context['work'] = work;
  try {
    for (let attempt = 1; ; attempt++) {
      const before = cpuMs();
      try {
        return run.runInContext(context, { timeout: limitMs }) as T;
      } catch (error) {
        if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        if (attempt === MAX_ATTEMPTS || cpuMs() - before >= limitMs / 2) throw new TookTooLong();
      }
    }
  } finally {
    context['work'] = nothing;
  }
}

/** Processor time of this thread so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function nothing(): void {
  // Replaces the finished work, so that its memory can be freed.
}
