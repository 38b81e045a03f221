/**
 * A value, or a promise of it. A store that has the value already returns it directly, which saves a promise on the
 * request path.
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * Waits for work for a limited time. The work itself continues after the limit.
 *
 * @returns whether the work finished in time; rejects if the work does
 */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
