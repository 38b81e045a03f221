import { AsyncLocalStorage } from 'node:async_hooks';

/** Fails one request with an error that its code threw. */
type Fail = (error: unknown) => void;

const currentFail = new AsyncLocalStorage<Fail>();

/**
 * Runs a service's code for one request. If the code throws later, in a timer or a callback that nothing awaits, the
 * error goes to `fail`. So it ends only that request, and not the process with all its requests.
 */
export function catchUncaughtErrors<T>(fail: Fail, work: () => T): T {
  return currentFail.run(fail, work);
}

/**
 * Passes an uncaught error to the request whose code threw it.
 *
 * @returns false if the error belongs to no request
 */
export function failRequestWith(error: unknown): boolean {
  const fail = currentFail.getStore();
  fail?.(error);
  return fail !== undefined;
}
