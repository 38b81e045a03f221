/**
 * Waits for work, but not longer than a time; the work goes on after that.
 *
 * @returns whether it was over in time; rejects if the work does
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
