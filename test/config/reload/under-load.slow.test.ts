import { expect } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { reloadsUnderLoad } from './under-load.contract.ts';

/** Limit of memory kept per reload, on average. An upstream takes more. */
const MAX_KEPT_BYTES = 30_000;

/** Heap in use after a garbage collection, in bytes. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const used: number[] = [];
reloadsUnderLoad(100, () => {
  used.push(usedBytes());
  const [before, after] = used;
  // Fewer reloads would not show a leak: other memory varies more.
  if (after !== undefined) expect((after - before!) / 50).toBeLessThan(MAX_KEPT_BYTES);
});
