import { readdirSync, statSync } from 'node:fs';
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

/**
 * Flags for V8's garbage collector; "Decisions" in `ARCHITECTURE.md` has the reasons. No object starts in the old
 * generation, where a part of a request would hold all of it until a full collection. Chunks of bodies count like the
 * rest of the heap; otherwise every 64 MB of them would start a full collection.
 */
export const collectorFlags = [
  '--no-allocation-site-pretenuring',
  // The default in later versions, which may print an error because they no longer know the flag.
  ...(isV8Before(14, 8) ? ['--external-memory-accounted-in-global-limit'] : []),
];

/** To be called after loading: compiled code, of Node itself and in the cache, is good only for the flags it was made with. */
export function tuneCollector(): void {
  for (const flag of collectorFlags) setFlagsFromString(flag);
}

function isV8Before(major: number, minor: number): boolean {
  const [itsMajor = 0, itsMinor = 0] = process.versions.v8.split('.').map(Number);
  return itsMajor < major || (itsMajor === major && itsMinor < minor);
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
