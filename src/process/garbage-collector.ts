import { setFlagsFromString } from 'node:v8';

/**
 * Flags for V8's garbage collector. The reasons are under "Decisions" in `ARCHITECTURE.md`. No object starts in the old
 * generation, because a part of a request there would keep the whole request alive until a full collection. Chunks of
 * bodies count like the rest of the heap, because otherwise every 64 MB of them would start a full collection.
 */
const FLAGS = [
  '--no-allocation-site-pretenuring',
  // This is the default in later versions. They may print an error, because they no longer have the flag.
  ...(isV8Before(14, 8) ? ['--external-memory-accounted-in-global-limit'] : []),
];

/**
 * Sets the flags for the rest of this process. Cached compiled code is valid only for the flags with which it was
 * compiled, so call this after everything is loaded.
 */
export function tuneGarbageCollector(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

function isV8Before(major: number, minor: number): boolean {
  const [itsMajor = 0, itsMinor = 0] = process.versions.v8.split('.').map(Number);
  return itsMajor < major || (itsMajor === major && itsMinor < minor);
}
