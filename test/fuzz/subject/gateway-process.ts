import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../support/gateway/gateway.ts';
import { inheritedEnvironment, killAtExit } from '../../support/gateway/process.ts';
import { Finding, within } from '../finding.ts';
import type { ProbeReply, ProbeRequest } from './probe.ts';

export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  /** A file that is loaded before the gateway's code. */
  readonly preload: string | undefined;
  /** The destination of standard output. A `pipe` is read. */
  readonly stdout: 'pipe' | number;
}

const MAX_OUTPUT_CHARS = 200_000;
const REACTION_MS = 60_000;
const START_MS = 120_000;

/** A gateway in a separate process that tests can inspect. */
export class GatewayProcess {
  readonly child: ChildProcess;
  #output = '';
  #uncaught: string | null = null;
  #questions = 0;

  constructor({ env, preload, stdout }: ProcessOptions) {
    const preloads = [join(root, 'test/fuzz/subject/probe.ts'), preload ?? []]
      .flat()
      .flatMap((file) => ['--import', file]);
    const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
    this.child = spawn(process.execPath, [...flags, ...preloads, join(root, 'src/main.ts')], {
      cwd: root,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', stdout, 'pipe', 'ipc'],
    });
    killAtExit(this.child);
    this.child.on('message', ({ uncaught }: { uncaught?: string }) => (this.#uncaught ??= uncaught ?? null));
    this.child.on('error', () => undefined);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-MAX_OUTPUT_CHARS);
      });
    }
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The most recent output. */
  get output(): string {
    return this.#output;
  }

  /** Waits until the log contains the ports of both listeners. */
  async ports(): Promise<{ publicPort: number; adminPort: number }> {
    for (let waited = 0; waited < START_MS && this.alive; waited += 10) {
      const found = /"publicUrl":"[^"]*:(\d+)","adminUrl":"[^"]*:(\d+)"/.exec(this.#output);
      if (found !== null) return { publicPort: Number(found[1]), adminPort: Number(found[2]) };
      await sleep(10);
    }
    throw new Finding('the gateway does not listen', this.#output.slice(-2000));
  }

  /** Returns the complete lines of output since the last call. */
  takeLines(): string[] {
    const lines = this.#output.split('\n');
    this.#output = lines.pop() ?? '';
    return lines;
  }

  /** Returns the first uncaught error since the last call. It is harmless if the gateway attributed it to a request. */
  takeUncaught(): string | null {
    const uncaught = this.#uncaught;
    this.#uncaught = null;
    return uncaught;
  }

  async ask(question: Omit<ProbeRequest, 'id'> = {}): Promise<ProbeReply> {
    const id = ++this.#questions;
    const { child } = this;
    const reply = new Promise<ProbeReply>((resolve, reject) => {
      const take = (held: ProbeReply) => {
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
    return within(REACTION_MS, 'the process does not respond', reply);
  }

  async kill(): Promise<void> {
    if (!this.alive) return;
    const end = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await end;
  }
}
