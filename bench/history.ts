import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Recorder } from '../src/control-plane/history/recording/recorder.ts';

/**
 * What the history costs a request: one call to the recorder. Machines differ, and so do minutes of a busy one, so the
 * figure that counts is a ratio: to hashing a key with SHA-256, which every request does once, measured in turns with
 * it. Times are CPU times.
 */

/** Between two flushes: 5,000 requests a second. */
const CALLS = 50_000;
const KEY = `tg_live_${'0123456789'.repeat(4).slice(2)}`;
/** Keys that call within a minute. With many, most of the time is spent waiting for memory. */
const KEYS = [1, 1000, 20_000];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '51' } } });

/** CPU time of a call, in ns. */
function nsPerCall(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / CALLS;
}

function hashKeys(): void {
  for (let index = 0; index < CALLS; index++) createHash('sha256').update(KEY).digest('hex');
}

/** Records requests of so many keys in random order, as a gateway sees them, and flushes. */
function recording(keys: number): { record: () => void; flush: () => void } {
  const ids = Array.from({ length: keys }, (_, index) => `key_${index.toString(36).padStart(16, '0')}`);
  const order = Uint32Array.from({ length: 2 ** 16 }, () => Math.floor(Math.random() * keys));
  const recorder = new Recorder(Date.now);
  function record() {
    for (let index = 0; index < CALLS; index++) {
      const isRefused = index % 10 === 0;
      recorder.record(
        ids[order[index & 0xffff] as number] as string,
        index & 1 ? 'listPets' : 'getPet',
        isRefused ? 'rate_limit_exceeded' : 'served',
        isRefused ? 4 : 2,
        isRefused ? 0 : 1,
        isRefused ? 1 : 0,
        (index & 0x3ff) * 0.01,
      );
    }
  }
  function flush() {
    recorder.closeMinute();
    while (recorder.take(500).length > 0);
  }
  return { record, flush };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

for (const keys of KEYS) {
  const { record, flush } = recording(keys);
  // Until the compiler is done.
  for (let round = 0; round < 10; round++) {
    record();
    flush();
    hashKeys();
  }
  const rounds = Array.from({ length: Number(values.rounds) }, () => {
    const [recordNs, hashNs] = [nsPerCall(record), nsPerCall(hashKeys)];
    flush();
    return { recordNs, ratio: recordNs / hashNs };
  });
  const ns = Math.round(median(rounds.map(({ recordNs }) => recordNs)));
  const ratio = median(rounds.map(({ ratio }) => ratio)).toFixed(2);
  process.stdout.write(
    `${String(keys).padStart(6)} keys: ${String(ns).padStart(5)} ns a request, ${ratio} times a hash of a key\n`,
  );
}
