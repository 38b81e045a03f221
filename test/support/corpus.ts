import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
/** A worktree may be one folder further down. */
const [beside, above] = ['../shared/corpus', '../../shared/corpus'].map((path) => join(root, path));

/** Test cases of other projects, in a folder beside this repository. */
export const corpus = above !== undefined && existsSync(above) ? above : (beside ?? '');

const isThere = existsSync(corpus);

/** Runs a test that needs these cases, or reports that it was not run. */
export function testWithCorpus(title: string, run: () => unknown, timeoutMs?: number): void {
  if (isThere) test(title, async () => void (await run()), timeoutMs);
  else test.skip(`NOT RUN, because there is no folder ${corpus}: ${title}`, () => {});
}
