import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
/** The corpus is beside the repository. In a worktree, the repository may be one folder further down. */
const [beside, above] = ['../shared/corpus', '../../shared/corpus'].map((path) => join(root, path));

/** The folder with test cases of other projects, beside this repository. */
export const corpus = above !== undefined && existsSync(above) ? above : (beside ?? '');

const isThere = existsSync(corpus);

/** Runs a test that needs the corpus. If the corpus is missing, reports that the test was not run. */
export function testWithCorpus(title: string, run: () => unknown, timeoutMs?: number): void {
  if (isThere) test(title, async () => void (await run()), timeoutMs);
  else test.skip(`NOT RUN, because there is no folder ${corpus}: ${title}`, () => {});
}
