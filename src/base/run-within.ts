import { createContext, Script } from 'node:vm';

/** Work was stopped because it took too long. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** A context for running work with a timeout, which stops the work even inside a regular expression. */
const context = createContext({ work: doNothing });
const workScript = new Script('work()');

/** Maximum number of attempts. On a busy machine, work may time out only because its thread got no processor time. */
const MAX_ATTEMPTS = 5;

/**
 * Runs synchronous work on untrusted input with a time limit, because nothing else can run in the meantime. If the work
 * reaches the limit with little processor time, it runs again. A call costs about 0.2 ms, so do not use this in a loop.
 *
 * @param work may be stopped anywhere and run again, so it must not change shared state
 * @throws TookTooLong
 */
export function runWithin<T>(limitMs: number, work: () => T): T {
  context['work'] = work;
  try {
    for (let attempt = 1; ; attempt++) {
      const before = readCpuMs();
      try {
        return workScript.runInContext(context, { timeout: limitMs }) as T;
      } catch (error) {
        if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        if (attempt === MAX_ATTEMPTS || readCpuMs() - before >= limitMs / 2) throw new TookTooLong();
      }
    }
  } finally {
    context['work'] = doNothing;
  }
}

/** The processor time that this thread has used so far, in ms. */
export function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function doNothing(): void {
  // Replaces work that has ended, so that its memory can be freed.
}
