import { AsyncLocalStorage } from 'node:async_hooks';

/** Called with an error of the request it belongs to. */
type Fail = (error: unknown) => void;

const running = new AsyncLocalStorage<Fail>();

/**
 * Runs a service's code for one request. If that code throws later, in a timer or a callback that nothing awaits, the
 * error goes to `fail`: it ends that request, not the process with all the others.
 */
export function catchUncaught<T>(fail: Fail, work: () => T): T {
  return running.run(fail, work);
}

/**
 * Passes an uncaught error to the request whose code threw it.
 *
 * @returns false if it belongs to no request
 */
export function failRequestWith(error: unknown): boolean {
  const fail = running.getStore();
  fail?.(error);
  return fail !== undefined;
}
