/** Runs each piece of work after the one before it has ended. */
type RunInOrder = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue that runs one piece of work at a time, so that several large results do not need memory at once. */
export function oneAtATime(): RunInOrder {
  let last: Promise<unknown> = Promise.resolve();
  return function runInOrder(work) {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
