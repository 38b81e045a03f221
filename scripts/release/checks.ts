import { ReleaseFault } from './release-fault.ts';

/** One part of the check of a release. */
export interface Check {
  /** As in the list that is printed. */
  readonly name: string;
  /** @returns what was found, in a few words @throws ReleaseFault if this checkout cannot be released */
  run(): string | Promise<string>;
}

interface CheckOptions {
  readonly write: (text: string) => void;
}

/**
 * Runs all checks, also after one has failed, so that one run tells everything. Prints a line for each.
 *
 * @returns the number of checks that failed
 */
export async function runChecks(checks: readonly Check[], { write }: CheckOptions): Promise<number> {
  let failed = 0;
  for (const check of checks) {
    try {
      write(`ok    ${check.name}: ${await check.run()}\n`);
    } catch (error) {
      failed++;
      write(`FAIL  ${check.name}: ${error instanceof Error ? error.message : String(error)}\n`);
      if (error instanceof ReleaseFault) write(`      To do: ${error.remedy}\n`);
    }
  }
  return failed;
}
