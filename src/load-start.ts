import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Start from './start.ts';

const BUILT = join(import.meta.dirname, '../dist/gateway/start.js');
const PACKAGES = join(import.meta.dirname, '../package-lock.json');

/**
 * Loads the gateway as the build has left it (`scripts/build.ts`), which is quicker; or its sources, if it was not built
 * or anything has changed since. Either way, what is written runs.
 */
export async function loadStart(): Promise<typeof Start> {
  if (!isNewest(BUILT, [PACKAGES, ...filesIn(import.meta.dirname)])) return import('./start.ts');
  return (await import(pathToFileURL(BUILT).href)) as typeof Start;
}

/** Whether a file is there, and none of the others was changed after it. */
export function isNewest(file: string, others: readonly string[]): boolean {
  const built = statSync(file, { throwIfNoEntry: false });
  if (built === undefined) return false;
  return others.every((other) => (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= built.mtimeMs);
}

/** Without folders, whose times a copy does not keep. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
