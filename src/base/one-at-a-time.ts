/** Runs work once all earlier work has ended. */
type RunInOrder = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue that runs one piece of work at a time, so that large results are not in memory at the same time. */
export function createRunInOrder(): RunInOrder {
  let last: Promise<unknown> = Promise.resolve();
  return function runInOrder(work) {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
