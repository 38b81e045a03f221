/** Measures how a long task of an operator slows down the requests beside it, and how long it holds the event loop. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { root } from '../../test/support/gateway/gateway.ts';
import { killAtExit } from '../../test/support/gateway/process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { findFreePort, isAccepting } from '../lab/ports.ts';
import { median } from '../measure.ts';
import { formatSpread, formatTable } from '../table.ts';
import type { ClientInput, ClientReport } from './lone-client.ts';
import type { TurnReport } from './watch-turns.ts';

/** The aims: how long the event loop may be held at a time, and how much slower requests may become. */
const AIM_HELD_MS = 10;
const AIM_RATIO = 1.1;
const TOKEN = 'bench-admin-token-0123456789abcdef';
const WATCH = join(import.meta.dirname, 'watch-turns.ts');
const IDLE = 'setInterval(() => {}, 1_000_000)';

/** A request to the admin API that takes long. */
export interface Task {
  /** The plural, for the report. */
  readonly noun: string;
  readonly path: string;
  readonly body: string;
  /** The document of the service in force. It needs the public operation `GET /echo`. */
  readonly document: string;
  /** More settings of the upstream. */
  readonly upstream?: Readonly<Record<string, unknown>>;
  /** Called when the gateway runs. */
  prepare?(gateway: PreparedGateway): Promise<void>;
}

export interface PreparedGateway {
  /** The file of the document in force. */
  readonly openapi: string;
  /** Sends a request to the admin API. @throws if the response is an error */
  readonly post: (path: string, body: object) => Promise<unknown>;
}

export interface BesideOptions {
  /** The folder of another checkout, which is measured in turn with this one. */
  readonly before: string | undefined;
  readonly rounds: number;
  readonly seconds: number;
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
  return new Worker(join(import.meta.dirname, 'lone-client.ts'), { workerData: input });
}

interface Measured {
  readonly caller: ClientReport;
  readonly gateway: TurnReport;
  readonly idle: TurnReport;
  readonly tasks: number;
}

interface Contender {
  readonly title: string;
  readonly alone: Measured[];
  readonly beside: Measured[];
  measure(withTasks: boolean): Promise<Measured>;
  stop(): Promise<void>;
}

/** Prints a table with each checkout alone and beside the task, and whether the aims are met. */
export async function measureBeside(task: Task, { before, rounds, seconds }: BesideOptions): Promise<void> {
  const folder = tempFolder();
  const idleFile = join(folder.path, 'idle.mjs');
  writeFileSync(idleFile, IDLE);
  const idle = new WatchedProcess(idleFile, []);
  const start = (title: string, checkout: string) =>
    startContender(task, { title, checkout, dataDir: join(folder.path, title), idle, roundMs: seconds * 1000 });
  process.stderr.write('start\n');
  const contenders = [await start('this checkout', root)];
  if (before !== undefined) contenders.push(await start('before', resolve(before)));
  process.stderr.write('started\n');
  for (const contender of contenders) {
    await contender.measure(false);
    process.stderr.write(`${contender.title}, cold: ${formatTurns(task, await contender.measure(true))}\n`);
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of order) {
      for (const withTasks of round % 2 === 0 ? [false, true] : [true, false]) {
        const measured = await contender.measure(withTasks);
        (withTasks ? contender.beside : contender.alone).push(measured);
        if (withTasks) process.stderr.write(`${contender.title}: ${formatTurns(task, measured)}\n`);
      }
    }
  }
  await Promise.all([...contenders, idle].map((each) => each.stop()));
  folder.remove();
  printResults(task, contenders);
}

interface ContenderOptions {
  readonly title: string;
  readonly checkout: string;
  readonly dataDir: string;
  readonly idle: WatchedProcess;
  readonly roundMs: number;
}

async function startContender(
  task: Task,
  { title, checkout, dataDir, idle, roundMs }: ContenderOptions,
): Promise<Contender> {
  mkdirSync(dataDir);
  const openapi = join(dataDir, 'openapi.json');
  writeFileSync(openapi, task.document);
  const module = join(root, 'test/support/services/contract-service.ts');
  const plans = join(checkout, 'config/plans.yaml');
  const upstreams = [{ name: 'a', openapi, module, ...task.upstream }];
  const settings = { plans, upstreams, guard: { publicRequests: 1_000_000 } };
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
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  await task.prepare?.({
    openapi,
    async post(path, body) {
      const response = await fetch(adminUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
  });
  const caller = startClient({ url: `http://127.0.0.1:${port}/echo`, method: 'GET', headers: {} });
  const body = Buffer.from(task.body);
  const operator = startClient({
    url: adminUrl + task.path,
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    body,
  });
  return {
    title,
    alone: [],
    beside: [],
    async measure(withTasks) {
      await Promise.all([gateway.reset(), idle.reset()]);
      const untilMs = Date.now() + roundMs;
      const [called, done] = await Promise.all([ask(caller, untilMs), withTasks ? ask(operator, untilMs) : undefined]);
      const [held, heldIdle] = await Promise.all([gateway.report(), idle.report()]);
      if (called.status !== 200) throw new Error(`the call got ${called.status}`);
      if (done !== undefined && done.status !== 200) throw new Error(`${task.path} got ${done.status}`);
      // What a task leaves behind must not count for the next measurement.
      await sleep(500);
      return { caller: called, gateway: held, idle: heldIdle, tasks: done?.count ?? 0 };
    },
    async stop() {
      await Promise.all([caller.terminate(), operator.terminate(), gateway.stop()]);
    },
  };
}

/** Formats the longest turns of one measurement. */
function formatTurns({ noun }: Task, { gateway: { turns }, tasks }: Measured): string {
  const texts = turns
    .slice(0, 6)
    .map(({ wallMs, cpuMs, gcMs }) => `${wallMs.toFixed(1)} (CPU ${cpuMs.toFixed(1)}, GC ${gcMs.toFixed(1)})`);
  return `${tasks} ${noun}; held ${texts.join(', ')} ms`;
}

function formatAll(figures: readonly number[], digits: number): string {
  return `${median(figures).toFixed(digits)} (${formatSpread(figures, digits)})`;
}

function printResults({ noun }: Task, contenders: readonly Contender[]): void {
  const head = ['', 'median ms', 'p99 ms', 'held ms', 'held, CPU ms', 'without GC', 'idle process'];
  const row = (title: string, list: readonly Measured[]) => {
    const format = (figure: (measured: Measured) => number, digits: number) => formatAll(list.map(figure), digits);
    return [
      title,
      format(({ caller }) => caller.medianMs, 3),
      format(({ caller }) => caller.p99Ms, 2),
      format(({ gateway }) => gateway.wallMs, 1),
      format(({ gateway }) => gateway.cpuMs, 1),
      format(({ gateway }) => gateway.ownMs, 1),
      format(({ idle }) => idle.wallMs, 1),
    ];
  };
  const rows = contenders.flatMap(({ title, alone, beside }) => [
    row(`${title}, alone`, alone),
    row(`${title}, beside`, beside),
  ]);
  process.stdout.write(`${formatTable(head, rows)}\n\n`);
  for (const { title, alone, beside } of contenders) {
    const ratios = (figure: (caller: ClientReport) => number) =>
      beside.map(({ caller }, round) => figure(caller) / figure(alone[round]!.caller));
    const medians = ratios(({ medianMs }) => medianMs);
    const longest = Math.max(...beside.map(({ gateway }) => gateway.ownMs));
    const tasks = beside.reduce((sum, each) => sum + each.tasks, 0);
    process.stdout.write(
      `${title}: ${tasks} ${noun}; requests beside them take ${formatAll(medians, 2)} times as long, ` +
        `aim ${AIM_RATIO}: ${median(medians) <= AIM_RATIO ? 'met' : 'missed'}; ` +
        `p99 ${formatAll(
          ratios(({ p99Ms }) => p99Ms),
          2,
        )} times; ` +
        `held by its own work for at most ${longest.toFixed(1)} ms, aim ${AIM_HELD_MS}: ` +
        `${longest <= AIM_HELD_MS ? 'met' : 'missed'}\n`,
    );
  }
}
