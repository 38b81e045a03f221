import { setFlagsFromString } from 'node:v8';

/**
 * Flags for V8's garbage collector (see "Decisions" in `ARCHITECTURE.md`). The first flag keeps new objects out of the
 * old generation, because one object of a request there would keep the whole request alive until a full collection. The
 * last flag counts body chunks as part of the heap, because otherwise every 64 MB of them would start a full
 * collection.
 */
const FLAGS = [
  '--no-allocation-site-pretenuring',
  // The default: see `keepNewSpaceSmall`.
  '--semi-space-growth-factor=2',
  // Later versions behave like this by default, and may print an error for a flag that they do not know.
  ...(isV8Before(14, 8) ? ['--external-memory-accounted-in-global-limit'] : []),
];

/**
 * Keeps the space for new objects from growing, until `tuneGarbageCollector` is called. A start fills it with objects that
 * are never used again, and would leave it at its largest size: tens of megabytes that stay resident.
 */
export function keepNewSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Sets the flags for this process. Call this after everything is loaded, because cached compiled code is valid only for
 * the flags with which it was compiled.
 */
export function tuneGarbageCollector(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

function isV8Before(major: number, minor: number): boolean {
  const [currentMajor = 0, currentMinor = 0] = process.versions.v8.split('.').map(Number);
  return currentMajor < major || (currentMajor === major && currentMinor < minor);
}
