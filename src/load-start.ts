import { readdirSync, statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type * as Start from './start.ts';

const BUILT = join(import.meta.dirname, '../dist/gateway/start.js');
const PACKAGES = join(import.meta.dirname, '../package-lock.json');

/**
 * Loads the gateway as the build has left it (`scripts/build.ts`), which is quicker; or its sources, if it was not built
 * or anything has changed since. Either way, what is written runs.
 */
export async function loadStart(): Promise<typeof Start> {
  const start = await load();
  keepRequestsYoung();
  return start;
}

async function load(): Promise<typeof Start> {
  if (!isNewest(BUILT, [PACKAGES, ...filesIn(import.meta.dirname)])) return import('./start.ts');
  return (await import(pathToFileURL(BUILT).href)) as typeof Start;
}

/**
 * V8 allocates in the old generation what comes from a place in the code whose objects have lived long so far. While the
 * first connections come in, that may be a place that sockets and requests share, in Node's streams. From then on every
 * request would leave something there that holds all of it until the next full collection, and cost up to twice as much.
 */
function keepRequestsYoung(): void {
  // Compiled code is kept for one set of flags only: what is loaded by now, for those of the next start.
  flushCompileCache();
  setFlagsFromString('--no-allocation-site-pretenuring');
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
