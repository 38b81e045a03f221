import { createContext, Script } from 'node:vm';

/** Work was stopped because it took too long. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** A function that runs in it can be stopped from outside, even within a regular expression. */
const context = createContext({ work: nothing });
const run = new Script('work()');

/**
 * Runs work that depends on input from others, and stops it if it takes too long, because nothing else runs until then.
 * It costs about 0.2 ms, so do not call it in a loop.
 *
 * @param work synchronous; it may be stopped anywhere, so it must not change shared state
 * @throws TookTooLong
 */
export function runWithin<T>(limitMs: number, work: () => T): T {
  context['work'] = work;
  try {
    return run.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TookTooLong();
    throw error;
  } finally {
    context['work'] = nothing;
  }
}

function nothing(): void {
  // Replaces the finished work, so that it can be freed.
}
