/** A value now or later. A store that can answer synchronously does, which saves the request path a promise. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Waits for work with a time limit. The work itself continues after that.
 *
 * @returns whether it finished in time; rejects if the work does
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
