import type { DatabaseSync } from 'node:sqlite';
import { merged, type Durations } from '../duration-buckets.ts';

/** Durations in a column of SQLite: 64-bit floats, in the byte order of the machine. */
export function blobOf(durations: Durations): Uint8Array {
  return new Uint8Array(Float64Array.from(durations).buffer);
}

export function durationsIn(blob: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = blob;
  const isAligned = byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
  if (!isAligned) return durationsIn(blob.slice());
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}

/** Gives the connection `merge_durations(a, b)`. */
export function addMergeFunction(sqlite: DatabaseSync): void {
  sqlite.function('merge_durations', { deterministic: true }, (one, other) =>
    blobOf(merged(durationsIn(one as Uint8Array), durationsIn(other as Uint8Array))),
  );
}
