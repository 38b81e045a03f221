import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { root } from '../test/support/gateway/gateway.ts';
import { killAtExit } from '../test/support/gateway/process.ts';
import { tempFolder } from '../test/support/temp-folder.ts';
import type { ClientInput, ClientReport } from './beside/lone-client.ts';
import type { TurnReport } from './beside/watch-turns.ts';
import { findFreePort, isAccepting } from './lab/ports.ts';
import { median } from './measure.ts';
import { parseOptions } from './options.ts';
import { formatSpread, formatTable } from './table.ts';

const values = parseOptions(
  {
    before: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '3' },
    megabytes: { type: 'string', default: '24' },
  },
  `npm run document-comparison -- [options]

How a comparison of two large documents slows down the requests beside it, and how long it holds the event loop.

  --before DIR     also measures the gateway of another checkout, in turn with this one
  --rounds N       how often each is measured without and with comparisons (8)
  --seconds N      for how long each time (3)
  --megabytes N    the size of each document (24)`,
);

/** The aims: how long the event loop may be held at a time, and how much slower requests may become. */
const AIM_HELD_MS = 10;
const AIM_RATIO = 1.1;
const rounds = Number(values.rounds);
const roundMs = Number(values.seconds) * 1000;
const documentBytes = Number(values.megabytes) * 1_000_000;
const TOKEN = 'bench-admin-token-0123456789abcdef';
const WATCH = join(import.meta.dirname, 'beside/watch-turns.ts');
const IDLE = 'setInterval(() => {}, 1_000_000)';

/** Creates a document of this size: 2,000 operations, and otherwise words. */
function createDocument(bytes: number, removed: number): string {
  const paths: Record<string, object> = {};
  const schema = { type: 'object', properties: { id: { type: 'integer' } } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  for (let index = removed; index < 2000; index++)
    paths[`/things/${index}`] = { get: { operationId: `get${index}`, responses } };
  paths['/echo'] = { get: { operationId: 'getEcho', security: [], responses } };
  const document = { openapi: '3.1.0', info: { title: 'Things', version: '1', description: '' }, paths };
  document.info.description = 'word '.repeat((bytes - JSON.stringify(document).length) / 5);
  return JSON.stringify(document);
}

/** A process that reports how long turns of its event loop take. */
class WatchedProcess {
  readonly #child: ChildProcess;

  constructor(file: string, args: readonly string[], options: Parameters<typeof fork>[2] = {}) {
    this.#child = fork(file, args, { ...options, execArgv: ['--import', WATCH, ...(options.execArgv ?? [])] });
    killAtExit(this.#child);
    this.#child.once('exit', (code) => {
      if (code !== null) throw new Error(`${file} ended with ${code}`);
    });
  }

  async reset(): Promise<void> {
    const response = once(this.#child, 'message');
    this.#child.send('reset');
    await response;
  }

  async report(): Promise<TurnReport> {
    const response = once(this.#child, 'message');
    this.#child.send('report');
    const [report] = (await response) as [TurnReport];
    return report;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

function ask(client: Worker, untilMs: number): Promise<ClientReport> {
  return new Promise((resolveReport, reject) => {
    client.once('error', reject);
    client.once('message', (report: ClientReport) => {
      client.off('error', reject);
      resolveReport(report);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    client.postMessage(untilMs);
  });
}

function startClient(input: ClientInput): Worker {
  return new Worker(join(import.meta.dirname, 'beside/lone-client.ts'), { workerData: input });
}

interface Measured {
  readonly caller: ClientReport;
  readonly gateway: TurnReport;
  readonly idle: TurnReport;
  readonly comparisons: number;
}

interface Contender {
  readonly title: string;
  readonly alone: Measured[];
  readonly beside: Measured[];
  measure(withComparisons: boolean): Promise<Measured>;
  stop(): Promise<void>;
}

const folder = tempFolder();
const openapi = join(folder.path, 'things.json');
writeFileSync(openapi, createDocument(documentBytes, 0));
const body = Buffer.from(JSON.stringify({ upstream: 'a', document: createDocument(documentBytes, 100) }));
const idleFile = join(folder.path, 'idle.mjs');
writeFileSync(idleFile, IDLE);
const idle = new WatchedProcess(idleFile, []);

async function startContender(title: string, checkout: string): Promise<Contender> {
  const dataDir = join(folder.path, title);
  mkdirSync(dataDir);
  const module = join(root, 'test/support/services/contract-service.ts');
  const plans = join(checkout, 'config/plans.yaml');
  const settings = { plans, upstreams: [{ name: 'a', openapi, module }], guard: { publicRequests: 1_000_000 } };
  writeFileSync(join(dataDir, 'gateway.yaml'), JSON.stringify(settings));
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const gateway = new WatchedProcess(join(checkout, 'src/main.ts'), [], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      TOLLGATE_CONFIG: join(dataDir, 'gateway.yaml'),
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_ADMIN_TOKEN: TOKEN,
      TOLLGATE_PORT: String(port),
      TOLLGATE_ADMIN_PORT: String(adminPort),
      TOLLGATE_PORTAL_PORT: '0',
    },
  });
  while (!(await isAccepting(adminPort))) await sleep(50);
  const caller = startClient({ url: `http://127.0.0.1:${port}/echo`, method: 'GET', headers: {} });
  const operator = startClient({
    url: `http://127.0.0.1:${adminPort}/v1/documents/diff`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    },
    body,
  });
  return {
    title,
    alone: [],
    beside: [],
    async measure(withComparisons) {
      await Promise.all([gateway.reset(), idle.reset()]);
      const untilMs = Date.now() + roundMs;
      const [called, compared] = await Promise.all([
        ask(caller, untilMs),
        withComparisons ? ask(operator, untilMs) : undefined,
      ]);
      const [held, heldIdle] = await Promise.all([gateway.report(), idle.report()]);
      if (called.status !== 200) throw new Error(`the call got ${called.status}`);
      if (compared !== undefined && compared.status !== 200) throw new Error(`the comparison got ${compared.status}`);
      // What a comparison leaves behind must not count for the next measurement.
      await sleep(500);
      return { caller: called, gateway: held, idle: heldIdle, comparisons: compared?.count ?? 0 };
    },
    async stop() {
      await Promise.all([caller.terminate(), operator.terminate(), gateway.stop()]);
    },
  };
}

process.stderr.write('start\n');
const contenders = [await startContender('this checkout', root)];
if (values.before !== undefined) contenders.push(await startContender('before', resolve(values.before)));
process.stderr.write('started\n');
for (const contender of contenders) {
  await contender.measure(false);
  await contender.measure(true);
}
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? contenders : contenders.toReversed();
  for (const contender of order) {
    for (const withComparisons of round % 2 === 0 ? [false, true] : [true, false]) {
      const measured = await contender.measure(withComparisons);
      (withComparisons ? contender.beside : contender.alone).push(measured);
      if (withComparisons) process.stderr.write(`${contender.title}: ${formatTurns(measured)}\n`);
    }
  }
}
await Promise.all([...contenders, idle].map((each) => each.stop()));
folder.remove();

/** Formats the longest turns of one measurement. */
function formatTurns({ gateway: { turns }, comparisons }: Measured): string {
  const texts = turns
    .slice(0, 6)
    .map(({ wallMs, cpuMs, gcMs }) => `${wallMs.toFixed(1)} (CPU ${cpuMs.toFixed(1)}, GC ${gcMs.toFixed(1)})`);
  return `${comparisons} comparisons; held ${texts.join(', ')} ms`;
}

const formatAll = (figures: readonly number[], digits: number) =>
  `${median(figures).toFixed(digits)} (${formatSpread(figures, digits)})`;

const rows = contenders.flatMap(({ title, alone, beside }) =>
  (
    [
      ['alone', alone],
      ['beside', beside],
    ] as const
  ).map(([name, list]) => [
    `${title}, ${name}`,
    formatAll(
      list.map(({ caller }) => caller.medianMs),
      3,
    ),
    formatAll(
      list.map(({ caller }) => caller.p99Ms),
      2,
    ),
    formatAll(
      list.map(({ gateway }) => gateway.wallMs),
      1,
    ),
    formatAll(
      list.map(({ gateway }) => gateway.cpuMs),
      1,
    ),
    formatAll(
      list.map(({ gateway }) => gateway.ownMs),
      1,
    ),
    formatAll(
      list.map(({ idle: control }) => control.wallMs),
      1,
    ),
  ]),
);
const head = ['', 'median ms', 'p99 ms', 'held ms', 'held, CPU ms', 'without GC', 'idle process'];
process.stdout.write(`${formatTable(head, rows)}\n\n`);
for (const { title, alone, beside } of contenders) {
  const ratios = beside.map(({ caller }, round) => caller.medianMs / alone[round]!.caller.medianMs);
  const longest = Math.max(...beside.map(({ gateway }) => gateway.ownMs));
  const comparisons = beside.reduce((sum, each) => sum + each.comparisons, 0);
  process.stdout.write(
    `${title}: ${comparisons} comparisons; requests beside them take ${formatAll(ratios, 2)} times as long, ` +
      `aim ${AIM_RATIO}: ${median(ratios) <= AIM_RATIO ? 'met' : 'missed'}; ` +
      `held by its own work for at most ${longest.toFixed(1)} ms, aim ${AIM_HELD_MS}: ` +
      `${longest <= AIM_HELD_MS ? 'met' : 'missed'}\n`,
  );
}
