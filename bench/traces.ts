import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { RequestTrace } from '../src/observability/traces/request-trace.ts';
import { openTracing } from '../src/observability/traces/sdk/open-tracing.ts';
import { setTraceparent, traceIdOf } from '../src/observability/traces/trace-context.ts';

/**
 * What traces cost a request that is not sampled: all of what is done for it. As for the history, the figure that counts
 * is a ratio: to hashing a key with SHA-256, which every request does once, measured in turns with it. Times are CPU
 * times. What sampled requests cost, `traces-load` tells.
 */

const CALLS = 50_000;
const KEY = 'tg_live_0123456789abcdefghijklmnopqrstuvABCDEF';
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
/** Those of a request that comes by a proxy. */
const NAMES = [
  'Host',
  'User-Agent',
  'Accept',
  'Accept-Encoding',
  'Content-Type',
  'Content-Length',
  'Via',
  'X-Request-Id',
];
const IDENTITY = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Consumer-Id', 'X-Credential-Id'];
const HEADERS = [...NAMES, ...IDENTITY].flatMap((name) => [name, 'value']);

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '51' } } });

const counts = { exported() {}, failed() {}, dropped() {} };
const tracing = openTracing(
  {
    url: 'http://127.0.0.1:9/v1/traces',
    protocol: 'http/protobuf',
    ratio: 0,
    isParentBased: true,
    maxQueued: 1,
    maxBatch: 1,
    delayMs: 5000,
    exportTimeoutMs: 1000,
  },
  'bench',
  counts,
  pino({ level: 'silent' }),
);

/** Results go here, or the compiler would leave out what makes them. */
const kept: unknown[] = [null];

function traced(header: string | undefined): () => void {
  const given = header === undefined ? HEADERS : [...HEADERS, 'traceparent', header];
  return () => {
    const trace = new RequestTrace(tracing, header, undefined, () => false);
    // The gateway makes this array with or without traces.
    const headers = given.slice();
    if (trace.traceparent !== null) setTraceparent(headers, trace.traceparent, trace.parent !== null);
    kept[0] = headers;
  };
}

const cases: readonly [string, () => void][] = [
  ['off, no traceparent', () => (kept[0] = traceIdOf(undefined))],
  ['off, with a traceparent: the id for the log', () => (kept[0] = traceIdOf(PARENT))],
  ['on, not sampled, no traceparent', traced(undefined)],
  ['on, not sampled, with one that is', traced(PARENT)],
];

/** CPU time of a call, in ns. */
function nsPerCall(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / CALLS;
}

const hashKey = () => (kept[0] = createHash('sha256').update(KEY).digest('hex'));

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

for (const [name, work] of cases) {
  // Until the compiler is done.
  for (let round = 0; round < 10; round++) {
    nsPerCall(work);
    nsPerCall(hashKey);
  }
  const rounds = Array.from({ length: Number(values.rounds) }, () => {
    const [ns, hashNs] = [nsPerCall(work), nsPerCall(hashKey)];
    return { ns, ratio: ns / hashNs };
  });
  const ns = Math.round(median(rounds.map((round) => round.ns)));
  const ratio = median(rounds.map((round) => round.ratio)).toFixed(2);
  process.stdout.write(`${name.padEnd(46)} ${String(ns).padStart(5)} ns a request, ${ratio} times a hash of a key\n`);
}
await tracing.close();
