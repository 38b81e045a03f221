/**
 * Admits requests in a loop, and prints their number until the process is killed. Before the first line is printed, a
 * ban has been stored.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createEmbeddedStore } from '../../../src/data-plane/admission/embedded/embedded-store.ts';
import { openCounters } from '../../../src/storage/counters.ts';
import { defaultPolicy } from './admission-history.ts';

const [file = '', time = ''] = process.argv.slice(2);
const database = await openCounters(file);
const store = createEmbeddedStore({
  database,
  clock: () => Number(time),
  policy: defaultPolicy,
  onError: (error) => {
    throw error;
  },
});

const limits = { minute: 1e9, day: 1e9 };
for (let admitted = 1; ; admitted++) {
  await store.admit({ quotaId: 'busy', cost: 1, limits, mode: 'enforce' });
  if (admitted === 1) await store.ban('banned', 60_000);
  process.stdout.write(`${admitted}\n`);
  await turn();
}
