import { writeFileSync } from 'node:fs';
import { Recorder } from '../../src/control-plane/history/recording/recorder.ts';
import { start } from '../../src/start.ts';

/**
 * A gateway that counts for the history a quarter of a second, does not in the next, and so on: in one process, both
 * share their compiled code, their memory, and the minutes of the machine. When it ends, it writes what a request took
 * in each turn.
 */

/** CPU time of a request with counting, and without, in µs: of neighbouring turns. */
export type Pair = readonly [on: number, off: number];

const TURN_MS = 250;
/** In this order, so that a machine that gets slower or faster does so for both. */
const TURNS = [true, false, false, true];
/** A turn with fewer has no load. */
const MIN_REQUESTS = 1000;

const file = process.argv[2] ?? '';
const pairs: Pair[] = [];
// oxlint-disable-next-line typescript/unbound-method -- it is called with its own this
const { record } = Recorder.prototype;
let [isOn, requests, turn] = [true, 0, 0];
Recorder.prototype.record = function (...request) {
  requests++;
  if (isOn) record.apply(this, request);
};

const cpuMicros = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
let taken = { on: { cpu: 0, requests: 0 }, off: { cpu: 0, requests: 0 } };
let hadLoad = true;
let before = cpuMicros();

function endTurn(): void {
  const now = cpuMicros();
  const sum = isOn ? taken.on : taken.off;
  sum.cpu += now - before;
  sum.requests += requests;
  hadLoad &&= requests >= MIN_REQUESTS;
  turn = (turn + 1) % TURNS.length;
  if (turn === 0) {
    const { on, off } = taken;
    if (hadLoad) pairs.push([on.cpu / on.requests, off.cpu / off.requests]);
    taken = { on: { cpu: 0, requests: 0 }, off: { cpu: 0, requests: 0 } };
    hadLoad = true;
  }
  isOn = TURNS[turn] as boolean;
  requests = 0;
  before = cpuMicros();
}

// What was measured while it warmed up does not count.
process.on('SIGUSR2', () => (pairs.length = 0));
process.on('exit', () => writeFileSync(file, JSON.stringify(pairs)));
await start();
setInterval(endTurn, TURN_MS).unref();
