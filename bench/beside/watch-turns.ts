/**
 * Measures how long turns of the event loop take. A process loads it with `--import`, and has an IPC channel: the message
 * `reset` begins a measurement, and `report` asks for what was seen since.
 */
import { PerformanceObserver } from 'node:perf_hooks';

/** A time in which the event loop did nothing else. All times are in ms. */
export interface HeldTurn {
  readonly wallMs: number;
  /** Processor time of the thread. The rest of the time, the thread waited for a core or for memory. */
  readonly cpuMs: number;
  /** Pauses for the collection of garbage, which are part of the time. */
  readonly gcMs: number;
}

export interface TurnReport {
  /** The longest turn, the longest processor time of a turn, and the longest without the collection of garbage. */
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly ownMs: number;
  /** Those with the longest processor time. */
  readonly turns: readonly HeldTurn[];
  /** Processor time of the thread in the whole measurement. */
  readonly threadCpuMs: number;
}

/** Shorter turns are not listed. */
const MIN_MS = 2;
const MAX_COLLECTIONS = 10_000;

let turns: { startMs: number; wallMs: number; cpuMs: number }[] = [];
let collections: { startMs: number; durationMs: number }[] = [];
let startCpuMs = 0;
let last = { atMs: performance.now(), cpuMs: readThreadCpuMs() };

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// The timer is due each millisecond, so a turn is at least that long.
setInterval(() => {
  const [atMs, cpuMs] = [performance.now(), readThreadCpuMs()];
  const wallMs = atMs - last.atMs;
  if (wallMs >= MIN_MS) turns.push({ startMs: last.atMs, wallMs, cpuMs: cpuMs - last.cpuMs });
  last = { atMs, cpuMs };
}, 1).unref();

new PerformanceObserver((list) => {
  for (const { startTime: startMs, duration: durationMs } of list.getEntries()) {
    if (collections.length < MAX_COLLECTIONS) collections.push({ startMs, durationMs });
  }
}).observe({ type: 'gc' });

process.on('message', (message) => {
  if (message === 'reset') {
    [turns, collections, startCpuMs] = [[], [], readThreadCpuMs()];
    process.send?.('reset');
  } else if (message === 'report') {
    // Entries of collections arrive later than the collections.
    setTimeout(() => process.send?.(report()), 20);
  }
});

// The process must be able to end.
process.channel?.unref();

function report(): TurnReport {
  const held = turns.map(({ startMs, wallMs, cpuMs }): HeldTurn => {
    const within = collections.filter((each) => each.startMs >= startMs && each.startMs < startMs + wallMs);
    return { wallMs, cpuMs, gcMs: within.reduce((sum, { durationMs }) => sum + durationMs, 0) };
  });
  const largest = (figure: (turn: HeldTurn) => number) => Math.max(0, ...held.map(figure));
  return {
    wallMs: largest(({ wallMs }) => wallMs),
    cpuMs: largest(({ cpuMs }) => cpuMs),
    ownMs: largest(({ cpuMs, gcMs }) => cpuMs - gcMs),
    turns: held.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, 10),
    threadCpuMs: readThreadCpuMs() - startCpuMs,
  };
}
