import { AsyncLocalStorage } from 'node:async_hooks';

/** Told of an error by the request that it belongs to. */
type Fail = (error: unknown) => void;

const running = new AsyncLocalStorage<Fail>();

/**
 * Runs the code of a service for one request. What that code throws later, in a timer or a callback that nobody awaits,
 * is told to `fail`: it ends that request, and not the process with everybody else's.
 */
export function runFor<T>(fail: Fail, work: () => T): T {
  return running.run(fail, work);
}

/**
 * Tells an error that nobody caught to the request in whose name it was thrown.
 *
 * @returns false if it belongs to none
 */
export function attribute(error: unknown): boolean {
  const fail = running.getStore();
  fail?.(error);
  return fail !== undefined;
}
