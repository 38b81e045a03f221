import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../support/servers/redis-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ADMIN_TOKEN, callAdmin } from './admin-call.ts';
import { expectThat } from '../finding.ts';
import { GatewayProcess, type ProcessOptions } from './gateway-process.ts';
import type { ProbeReply, ProbeRequest } from './probe.ts';
import { writeConfig, type OwnSettings } from './subject-config.ts';

export interface Key {
  readonly id: string;
  readonly secret: string;
}

interface SubjectOptions extends Partial<ProcessOptions> {
  /** Returns settings that replace the common ones. It is called with the data directory. */
  readonly settings: (folder: string) => OwnSettings;
}

const KEYS = 8;

/** The gateway under test, with checks of its invariants. It is restarted after each finding. */
export class Subject {
  publicPort = 0;
  adminPort = 0;
  /** Keys with ample limits. */
  keys: Key[] = [];
  /** A key that a few requests exhaust. */
  tiny: Key = { id: '', secret: '' };
  readonly #options: SubjectOptions;
  readonly #folder = tempFolder();
  #process: GatewayProcess | undefined;
  #starts = 0;
  /** True after a finding, because the process must not affect the next script. */
  #isTainted = false;

  constructor(options: SubjectOptions) {
    this.#options = options;
  }

  get alive(): boolean {
    return this.#process?.alive === true;
  }

  get child(): ChildProcess | undefined {
    return this.#process?.child;
  }

  get lastOutput(): string {
    return this.#process?.output.slice(-2000) ?? '';
  }

  /** Starts the gateway with a new data directory, and creates keys. */
  async start(): Promise<void> {
    await this.launch();
    for (let waited = 0; (await this.state()) !== 'ready'; waited += 20) {
      if (waited > 20_000 || !this.alive) throw new Error(`the gateway does not start:\n${this.lastOutput}`);
      await sleep(20);
    }
    this.tiny = await this.createKey('tiny');
    this.keys = [];
    for (let index = 0; index < KEYS; index++) this.keys.push(await this.createKey('roomy'));
  }

  /** Starts the gateway without keys, and waits until it listens. */
  async launch(): Promise<void> {
    const dataDir = join(this.#folder.path, String(++this.#starts));
    mkdirSync(dataDir);
    const { settings, env, preload, stdout = 'pipe' } = this.#options;
    // If standard output is broken, the log does not show the ports, so select them beforehand.
    const [publicPort = 0, adminPort = 0] = stdout === 'pipe' ? [] : await freePorts(2);
    this.#process = new GatewayProcess({
      env: {
        TOLLGATE_CONFIG: writeConfig(dataDir, settings(dataDir)),
        TOLLGATE_DATA_DIR: dataDir,
        TOLLGATE_PORT: String(publicPort),
        TOLLGATE_ADMIN_PORT: String(adminPort),
        TOLLGATE_PORTAL_PORT: '0',
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        ...env,
      },
      preload,
      stdout,
    });
    Object.assign(this, stdout === 'pipe' ? await this.#process.ports() : { publicPort, adminPort });
  }

  async stop(): Promise<void> {
    await this.#process?.kill();
    this.#folder.remove();
  }

  /**
   * Plays the parts of a script concurrently. If the last script had a finding, it starts a new process first.
   *
   * @throws Finding
   */
  async play(parts: () => readonly Promise<void>[]): Promise<void> {
    await this.#restartIfTainted();
    this.#isTainted = true;
    const settled = await Promise.allSettled(parts());
    // If the process has ended, that caused the other failures. The reply to this request arrives after the report of
    // an uncaught error.
    const held = await this.ask().catch(() => null);
    await this.expectAlive();
    const polluted = held?.polluted ?? null;
    expectThat(polluted === null, 'a global object was modified', () => String(polluted));
    for (const part of settled) if (part.status === 'rejected') throw part.reason;
    await this.#expectNoLeak();
    await this.expectAlive();
    this.#isTainted = false;
  }

  /** Measures the heap in use after a garbage collection, in bytes. */
  async heap(): Promise<number> {
    await this.#restartIfTainted();
    return (await this.ask({ collect: true })).heap;
  }

  async ask(question?: Omit<ProbeRequest, 'id'>): Promise<ProbeReply> {
    return this.#process!.ask(question);
  }

  /**
   * The state that the gateway reports: `ready`, `starting`, `degraded` or `draining`. It is `away` if there is no
   * response.
   */
  async state(): Promise<string> {
    const { text } = await callAdmin(this.adminPort, 'GET', '/readyz').catch(() => ({ text: 'away' }));
    return /ready|starting|degraded|draining/.exec(text)?.[0] ?? text;
  }

  async createKey(plan: string): Promise<Key> {
    const { id, key } = await this.#admin<{ id: string; key: string }>('POST', '/keys', {
      name: 'fuzz',
      owner: 'fuzz',
      plan,
    });
    return { id, secret: key };
  }

  /** Counts the units that were charged to a key today. */
  async countCharged({ id }: Key): Promise<number> {
    const { windows } = await this.#admin<{ windows: { name: string; used: number }[] }>('GET', `/keys/${id}/usage`);
    return windows.find(({ name }) => name === 'day')?.used ?? 0;
  }

  /**
   * Checks that the process is running normally.
   *
   * @throws Finding if the process has ended, or is draining because of an uncaught error
   */
  async expectAlive(): Promise<void> {
    const uncaught = this.#process?.takeUncaught() ?? null;
    if (this.alive && (uncaught === null || !['draining', 'away'].includes(await this.state()))) return;
    expectThat(uncaught === null, `uncaught: ${uncaught?.split('\n')[0] ?? ''}`, () => uncaught ?? '');
    expectThat(false, 'the process ended', () => this.lastOutput);
  }

  /**
   * Checks the log lines since the last call.
   *
   * @param isExpected returns true if a line of the log is expected
   * @throws Finding if an unexpected error was logged
   */
  expectNoError(isExpected: (line: string) => boolean = () => false): void {
    const isError = (line: string) =>
      line.startsWith('{"level":50') && !line.includes('"msg":"response"') && !isExpected(line);
    const error = this.#process?.takeLines().find(isError);
    expectThat(error === undefined, 'an error in the log', () => String(error));
  }

  /**
   * Checks that no message floods the log.
   *
   * @throws Finding if the same message was logged more than `times` times
   */
  expectNoFlood(times: number): void {
    const counts = new Map<string, number>();
    for (const [, message = ''] of this.#process!.output.matchAll(/^\{"level":[45]0.*"msg":"([^"]*)/gm)) {
      if (message === 'response') continue;
      const count = (counts.get(message) ?? 0) + 1;
      counts.set(message, count);
      expectThat(count <= times, 'the log repeats a message', () => message);
    }
  }

  /**
   * Checks that no connection leaks.
   *
   * @throws Finding if a client's connection is still open after `ms`
   */
  async #expectNoLeak(ms = 30_000): Promise<void> {
    const deadline = performance.now() + ms;
    for (let pause = 1; ; pause = Math.min(100, pause * 2)) {
      const { sockets } = await this.ask();
      if ((sockets[this.publicPort] ?? 0) === 0) return;
      expectThat(performance.now() < deadline, 'connections are left open', () => JSON.stringify(sockets));
      await sleep(pause);
    }
  }

  async #restartIfTainted(): Promise<void> {
    if (!this.#isTainted && this.alive) return;
    await this.#process?.kill();
    await this.start();
    this.#isTainted = false;
  }

  async #admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await callAdmin(this.adminPort, method, `/v1${path}`, body);
    expectThat(status < 300, 'the admin API failed', () => `${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }
}
