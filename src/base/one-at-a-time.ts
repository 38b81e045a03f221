/** Runs each piece of work after the one before it has ended. */
type RunInOrder = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits the memory for large results that are computed at the same time. */
export function oneAtATime(): RunInOrder {
  let last: Promise<unknown> = Promise.resolve();
  return function runInOrder(work) {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
