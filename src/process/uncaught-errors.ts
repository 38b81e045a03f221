import { AsyncLocalStorage } from 'node:async_hooks';

/** Ends a request with an error of its code. */
type Fail = (error: unknown) => void;

const running = new AsyncLocalStorage<Fail>();

/**
 * Runs a service's code for one request. The code may throw later, in a timer or a callback that nothing awaits. The
 * error then goes to `fail` and ends only that request, instead of the process with all requests.
 */
export function catchUncaught<T>(fail: Fail, work: () => T): T {
  return running.run(fail, work);
}

/**
 * Passes an uncaught error to the request whose code threw it.
 *
 * @returns false if the error belongs to no request
 */
export function failRequestWith(error: unknown): boolean {
  const fail = running.getStore();
  fail?.(error);
  return fail !== undefined;
}
