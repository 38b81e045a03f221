import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { root } from '../support/gateway.ts';
import { freePorts } from '../support/redis-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { expectThat, Finding, within } from './finding.ts';
import type { Held, Question } from './probe.ts';

export const ADMIN_TOKEN = 'fuzz-admin-token-0123456789-0123456789';

export interface Key {
  readonly id: string;
  readonly secret: string;
}

export interface SubjectOptions {
  /** In place of those that all targets share. */
  readonly settings: (folder: string) => Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that is loaded before the gateway's own code. */
  readonly preload?: string;
  /** Where standard output goes; `pipe`, and read, where nothing is said. */
  readonly stdout?: 'pipe' | number;
}

/** Limits in time are short: what waits for one is to be seen to end. */
const SETTINGS = {
  plans: 'plans.yaml',
  drain: { deadline: '1s' },
  edge: {
    headersTimeout: '1s',
    requestTimeout: '2s',
    keepAlive: '2s',
    tunnelIdle: '1s',
    writeTimeout: '1s',
    maxTunnels: 1,
    maxBody: '256kb',
  },
  // Failed attempts of all scripts come from one address.
  guard: { failedAttempts: 1_000_000_000, publicRequests: 1_000_000_000 },
};
const ROOMY = { minute: 1_000_000_000, day: 1_000_000_000 };
const KEYS = 8;
const KEPT_OUTPUT = 200_000;

/** A gateway in a process of its own, which may end, and what is to be known of it. */
export class Subject {
  publicPort = 0;
  adminPort = 0;
  /** That have room for all that is asked with them. */
  keys: Key[] = [];
  /** Used up at once. */
  tiny: Key = { id: '', secret: '' };
  readonly #options: SubjectOptions;
  readonly #folder = tempFolder();
  #child: ChildProcess | undefined;
  #output = '';
  #questions = 0;
  #starts = 0;
  /** What nobody caught in the process: harmless if it was found whose it is. */
  #uncaught: string | null = null;
  /** A finding was made: what is found next must not be its consequence. */
  #isHarmed = false;

  constructor(options: SubjectOptions) {
    this.#options = options;
  }

  get folder(): string {
    return this.#folder.path;
  }

  get alive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get child(): ChildProcess | undefined {
    return this.#child;
  }

  /** Bytes that are held, behind a garbage collection. */
  async heap(): Promise<number> {
    if (this.#isHarmed || !this.alive) await this.restart();
    return (await this.ask({ collect: true })).heap;
  }

  /** @throws Finding if something failed that nobody foresaw: the log says so since it was last asked */
  expectNoError(): void {
    const lines = this.#output.split('\n');
    this.#output = lines.pop() ?? '';
    const isError = (line: string) => line.startsWith('{"level":50') && !line.includes('"msg":"response"');
    const error = lines.find(isError);
    expectThat(error === undefined, 'an error in the log', () => String(error));
  }

  /** Starts it, again if it has ended, with a data directory of its own and keys that have room. */
  async start(): Promise<void> {
    await this.launch();
    await this.#ready();
    this.tiny = await this.createKey('tiny');
    this.keys = [];
    for (let index = 0; index < KEYS; index++) this.keys.push(await this.createKey('roomy'));
  }

  /** Starts it, without a key, and waits for nothing. */
  async launch(): Promise<void> {
    const dataDir = join(this.#folder.path, String(++this.#starts));
    mkdirSync(dataDir);
    const plans = [
      { id: 'roomy', name: 'Roomy', limits: ROOMY },
      { id: 'tiny', name: 'Tiny', limits: { minute: 3, day: 1000 } },
    ];
    writeFileSync(join(dataDir, 'plans.yaml'), stringify({ plans }));
    const { edge, ...settings } = this.#options.settings(dataDir) as { edge?: object };
    const config = { ...SETTINGS, ...settings, edge: { ...SETTINGS.edge, ...edge } };
    writeFileSync(join(dataDir, 'gateway.yaml'), stringify(config));
    // Chosen here: where standard output is broken, nobody is told them.
    const [publicPort = 0, adminPort = 0] = await freePorts(2);
    Object.assign(this, { publicPort, adminPort });
    this.#spawn(dataDir);
  }

  async createKey(plan: string): Promise<Key> {
    const { id, key } = await this.admin<{ id: string; key: string }>('POST', '/keys', {
      name: 'k',
      owner: 'fuzz',
      plan,
    });
    return { id, secret: key };
  }

  async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await call(this.adminPort, method, `/v1${path}`, body);
    expectThat(status < 300, 'the admin API failed', () => `${method} ${path}: ${status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** Units that a key was charged today. */
  async charged({ id }: Key): Promise<number> {
    const { windows } = await this.admin<{ windows: { name: string; used: number }[] }>('GET', `/keys/${id}/usage`);
    return windows.find(({ name }) => name === 'day')?.used ?? 0;
  }

  /** What it says of itself: `ready`, `starting`, `degraded`; `away` where it says nothing. */
  async state(): Promise<string> {
    const { text } = await call(this.adminPort, 'GET', '/readyz').catch(() => ({ text: 'away' }));
    return /ready|starting|degraded|draining/.exec(text)?.[0] ?? text;
  }

  get lastOutput(): string {
    return this.#output.slice(-2000);
  }

  /** @throws Finding if the log says the same thing again and again */
  expectNoFlood(times: number): void {
    const counts = new Map<string, number>();
    for (const [, message = ''] of this.#output.matchAll(/^\{"level":[45]0.*"msg":"([^"]*)/gm)) {
      if (message === 'response') continue;
      const count = (counts.get(message) ?? 0) + 1;
      counts.set(message, count);
      expectThat(count <= times, 'the log says the same again and again', () => message);
    }
  }

  async ask(question: Omit<Question, 'id'> = {}): Promise<Held> {
    const id = ++this.#questions;
    const child = this.#child!;
    const answered = new Promise<Held>((resolve, reject) => {
      const take = (held: Held) => {
        if (held.id === id) done(() => resolve(held));
      };
      const onGone = () => done(() => reject(new Finding('the process ended', this.#output.slice(-2000))));
      const done = (settle: () => void) => {
        child.off('message', take).off('disconnect', onGone);
        settle();
      };
      child.on('message', take).once('disconnect', onGone);
      if (child.connected) child.send({ id, ...question }, (error) => error !== null && onGone());
      else onGone();
    });
    return within(10_000, 'the process does not react', answered);
  }

  /**
   * Plays a script's parts at once, on a process that is as new where the last script has done it harm.
   */
  async play(parts: () => readonly Promise<void>[]): Promise<void> {
    if (this.#isHarmed || !this.alive) await this.restart();
    this.#isHarmed = true;
    const settled = await Promise.allSettled(parts());
    // What ended it is the cause of all else that went wrong. Asked first: it has told of it by the time it answers.
    await this.ask().catch(() => undefined);
    await this.expectAlive();
    for (const part of settled) if (part.status === 'rejected') throw part.reason;
    await this.expectNoLeak();
    await this.expectAlive();
    this.#isHarmed = false;
  }

  /** @throws Finding if the process has ended, or drains because of an error that nobody caught */
  async expectAlive(): Promise<void> {
    const uncaught = this.#uncaught;
    this.#uncaught = null;
    if (this.alive && (uncaught === null || !['draining', 'away'].includes(await this.state()))) return;
    expectThat(uncaught === null, `nobody caught: ${uncaught?.split('\n')[0] ?? ''}`, () => uncaught ?? '');
    expectThat(false, 'the process ended', () => this.lastOutput);
  }

  /** @throws Finding if a client's connection is still open after a while */
  async expectNoLeak(ms = 4000): Promise<void> {
    const deadline = performance.now() + ms;
    for (let pause = 1; ; pause = Math.min(100, pause * 2)) {
      const { sockets } = await this.ask();
      const open = sockets[this.publicPort] ?? 0;
      if (open === 0) return;
      expectThat(performance.now() < deadline, 'connections are left open', () => JSON.stringify(sockets));
      await sleep(pause);
    }
  }

  async stop(): Promise<void> {
    await this.#kill();
    this.#folder.remove();
  }

  async restart(): Promise<void> {
    await this.#kill();
    await this.start();
    this.#isHarmed = false;
  }

  async #ready(): Promise<void> {
    for (let waited = 0; waited < 20_000 && this.alive; waited += 20) {
      if ((await this.state()) === 'ready') return;
      await sleep(20);
    }
    throw new Error(`the gateway does not start:\n${this.#output}`);
  }

  async #kill(): Promise<void> {
    if (!this.alive) return;
    const end = once(this.#child!, 'exit');
    this.#child!.kill('SIGKILL');
    await end;
  }

  #spawn(dataDir: string): void {
    const preloads = [join(root, 'test/fuzz/probe.ts'), this.#options.preload ?? []].flat();
    const child = spawn(
      process.execPath,
      [
        '--expose-gc',
        '--disable-warning=ExperimentalWarning',
        ...preloads.flatMap((file) => ['--import', file]),
        join(root, 'src/main.ts'),
      ],
      {
        cwd: root,
        env: {
          PATH: process.env['PATH'],
          TOLLGATE_CONFIG: join(dataDir, 'gateway.yaml'),
          TOLLGATE_DATA_DIR: dataDir,
          TOLLGATE_PORT: String(this.publicPort),
          TOLLGATE_ADMIN_PORT: String(this.adminPort),
          TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
          TOLLGATE_LOG_LEVEL: 'info',
          ...this.#options.env,
        },
        stdio: ['ignore', this.#options.stdout ?? 'pipe', 'pipe', 'ipc'],
      },
    );
    this.#child = child;
    this.#output = '';
    this.#uncaught = null;
    child.on('message', (message: { uncaught?: string }) => (this.#uncaught ??= message.uncaught ?? null));
    child.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-KEPT_OUTPUT);
      });
    }
  }
}

/** A request over a connection of its own, so that none stays open between. */
function call(port: number, method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const calling = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    calling.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
