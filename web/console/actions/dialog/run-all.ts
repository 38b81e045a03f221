export interface FailedSubject {
  readonly name: string;
  readonly message: string;
}

interface Options<Subject> {
  readonly nameOf: (subject: Subject) => string;
  /** Called after each item with the number of processed items. */
  readonly onProgress: (through: number) => void;
}

const AT_ONCE = 4;

/** Runs an action on each of many items, a few at a time; a failure does not stop the others. */
export async function runAll<Subject, Result>(
  subjects: readonly Subject[],
  run: (subject: Subject) => Promise<Result>,
  { nameOf, onProgress }: Options<Subject>,
) {
  const done: { subject: Subject; result: Result }[] = [];
  const failed: FailedSubject[] = [];
  const waiting = subjects.values();
  const worker = async () => {
    for (const subject of waiting) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- limits how many run concurrently
        done.push({ subject, result: await run(subject) });
      } catch (error) {
        failed.push({ name: nameOf(subject), message: (error as Error).message });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { done, failed };
}
