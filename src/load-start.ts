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
  tuneCollector();
  return start;
}

async function load(): Promise<typeof Start> {
  if (!isNewest(BUILT, [PACKAGES, ...filesIn(import.meta.dirname)])) return import('./start.ts');
  return (await import(pathToFileURL(BUILT).href)) as typeof Start;
}

/** Two decisions of V8's garbage collector that suit no proxy: see "Decisions" in `ARCHITECTURE.md`. */
function tuneCollector(): void {
  // Compiled code is kept for one set of flags only: what is loaded by now, for those of the next start.
  flushCompileCache();
  // Nothing begins in the old generation. There, a part of a request would hold all of it until a full collection.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // Chunks of bodies count like the rest of the heap: no full collection for every 64 MB of them.
  setFlagsFromString('--external-memory-accounted-in-global-limit');
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
