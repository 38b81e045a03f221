/**
 * A value that is available now or later. To spare the request path a promise, a store that can answer synchronously
 * returns the value itself.
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * Waits for work until a time limit. The work continues after the limit.
 *
 * @returns whether the work finished in time; rejects if the work does
 */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
