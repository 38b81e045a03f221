import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { TraceMetrics } from '../src/telemetry/metrics/trace-metrics.ts';
import { RequestTrace } from '../src/telemetry/traces/request-trace.ts';
import { openTracing } from '../src/telemetry/traces/sdk/open-tracing.ts';
import { traceIdOf } from '../src/telemetry/traces/trace-context.ts';
import type { Tracing } from '../src/telemetry/traces/tracing.ts';
import type { Exchange } from '../src/data-plane/exchange/exchange.ts';
import { recordOf } from '../src/data-plane/exchange/request-record.ts';
import { recordServerSpan, traceUpstream } from '../src/data-plane/observers/spans.ts';
import type { Route } from '../src/data-plane/upstreams/upstream.ts';
import { accepts, freePort } from './lab/ports.ts';
import { start, until } from './lab/process.ts';

/**
 * What traces cost a request: all of what is done for it, with an HTTP upstream, and until its spans have arrived. As for
 * the history, the figure that counts is a ratio: to hashing a key with SHA-256, which every request does once, measured
 * in turns with it. Times are CPU times of the whole process. Under load, `traces-load` measures the same with more noise.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '31' } } });

const KEY = `tg_live_${'0123456789'.repeat(4).slice(2)}`;
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

const route = {
  operation: { id: 'getPet', method: 'GET', path: '/pets/{petId}' },
  upstream: { name: 'petstore' },
  prefix: '',
} as unknown as Route;
/** What a span is made from. */
const request = {
  req: { method: 'GET', httpVersion: '1.1', headers: {}, socket: {} },
  res: { writableFinished: true },
  match: { kind: 'operation', route },
  credential: { keyId: 'key_0123456789abcdefghij', plan: 'free' },
  decision: null,
  path: '/pets/1',
  requestId: 'ba7cd1a2-8f1e-4f4e-9a51-6f2b6d3e8f10',
  refusal: null,
  rawStatus: 0,
  status: 200,
};

/** Results go here, or the compiler would leave out what makes them. */
const kept: unknown[] = [null];
const sink = await startSink();

/** A kind of request. */
interface Case {
  readonly name: string;
  readonly calls: number;
  readonly work: () => unknown;
  /** Waits for what the calls have left to do. */
  readonly settle?: () => Promise<void>;
}

/** Reports exported spans, and throws if any are lost. */
class LosslessMetrics extends TraceMetrics {
  readonly #onExported: (spans: number) => void;

  constructor(onExported: (spans: number) => void) {
    super(new Registry());
    this.#onExported = onExported;
  }

  override exported(spans: number): void {
    this.#onExported(spans);
  }

  override failed(): void {
    throw new Error('spans were lost');
  }

  override dropped(): void {
    throw new Error('spans were lost');
  }
}

/** @param calls in a row: no more than the queue takes */
function traced(name: string, ratio: number, header: string | undefined, calls: number): Case & { tracing: Tracing } {
  let [made, arrived] = [0, 0];
  const counts = new LosslessMetrics((spans) => (arrived += spans));
  const tracing = openTracing(
    {
      url: `http://127.0.0.1:${sink.port}/v1/traces`,
      protocol: 'http/protobuf',
      ratio,
      isParentBased: true,
      maxQueued: 2048,
      maxBatch: 512,
      delayMs: 5,
      exportTimeoutMs: 10_000,
    },
    counts,
    pino({ level: 'silent' }),
  );
  const given = header === undefined ? HEADERS : [...HEADERS, 'traceparent', header];
  const work = () => {
    const trace = new RequestTrace(tracing, header, undefined, () => false);
    // The gateway makes this array with or without traces.
    const headers = given.slice();
    const exchange = { ...request, trace, startedAt: performance.now() } as unknown as Exchange;
    const upstream = traceUpstream(exchange, trace, route, headers);
    kept[0] = headers;
    if (upstream === null) return;
    upstream.attempt('http://127.0.0.1:9001', headers).end(200, null);
    recordServerSpan(recordOf(exchange, 'GET', undefined));
    made += 2;
  };
  const isSettled = () => arrived === made;
  const settle = async () => {
    while (!isSettled()) await sleep(1);
  };
  return { name, calls, work, settle, tracing };
}

const on = [
  traced('on, not sampled, no traceparent', 0, undefined, 50_000),
  traced('on, not sampled, with one that is', 0, PARENT, 50_000),
  traced('on, 1% sampled', 0.01, undefined, 50_000),
  traced('on, all sampled', 1, undefined, 1000),
];
const cases: readonly Case[] = [
  { name: 'off, no traceparent', calls: 50_000, work: () => (kept[0] = traceIdOf(undefined)) },
  { name: 'off, with one: the id for the log', calls: 50_000, work: () => (kept[0] = traceIdOf(PARENT)) },
  ...on,
];
const hashing: Case = {
  name: 'hash',
  calls: 50_000,
  work: () => (kept[0] = createHash('sha256').update(KEY).digest('hex')),
};

/** CPU time of a call, in ns. */
async function nsPerCall({ calls, work, settle }: Case): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  await settle?.();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / calls;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

for (const each of cases) {
  // Until the compiler is done.
  for (let round = 0; round < 10; round++) kept[1] = [await nsPerCall(each), await nsPerCall(hashing)];
  const rounds: { readonly ns: number; readonly ratio: number }[] = [];
  while (rounds.length < Number(values.rounds)) {
    const [ns, hashNs] = [await nsPerCall(each), await nsPerCall(hashing)];
    rounds.push({ ns, ratio: ns / hashNs });
  }
  const ns = Math.round(median(rounds.map((round) => round.ns)));
  const ratio = median(rounds.map((round) => round.ratio)).toFixed(2);
  process.stdout.write(
    `${each.name.padEnd(36)} ${String(ns).padStart(6)} ns a request, ${ratio} times a hash of a key\n`,
  );
}
for (const { tracing } of on) await tracing.close();
await sink.stop();

/** A receiver of traces, in a process of its own. */
async function startSink() {
  const port = await freePort();
  const program = start(0, process.execPath, [join(import.meta.dirname, 'servers/otlp-sink.ts'), String(port)]);
  await until(program, () => accepts(port));
  return { port, stop: () => program.stop() };
}
