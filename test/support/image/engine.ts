import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPrograms, isOnPath, rootPrefix } from '../servers/install-programs.js';
import { tryCommand } from './commands.ts';

/** A container engine that responds. */
export interface Engine {
  /** The value for `DOCKER_HOST`. Undefined means the default of the client. */
  readonly host: string | undefined;
  /** True if this run started the engine. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

/** Creates the environment of a `docker` command that uses an engine. */
export function engineEnvironment({ host }: Pick<Engine, 'host'>): NodeJS.ProcessEnv {
  return host === undefined ? {} : { DOCKER_HOST: host };
}

/** The error if no container engine responds, and none could be started. */
export class NoEngineError extends Error {}

/** The folder for the engine's state and for the stand-ins, which are kept for the next run. */
export const IMAGE_TEST_FOLDER = join(tmpdir(), 'tollgate-image-tests');

const PID_FILE = join(IMAGE_TEST_FOLDER, 'dockerd.pid');
/** The maximum time from the start of the engine to its first response. */
const START_MS = 60_000;
const STOP_MS = 30_000;

/** Finds the engine of the machine. Null if none responds. */
export async function findEngine(): Promise<Engine | null> {
  const host = process.env['DOCKER_HOST'];
  return (await isReachable(host)) ? { host, isOwn: false, stop: async () => {} } : null;
}

/**
 * Starts an engine for this run, with its own images, containers and socket. Installs the programs if needed.
 *
 * @throws NoEngineError with instructions, if no engine can be started here
 */
export async function startEngine(): Promise<Engine> {
  const prefix = rootPrefix();
  if (process.platform !== 'linux' || prefix === undefined) {
    throw new NoEngineError(
      'No container engine answers, and only root (or passwordless sudo) on Linux can start one. ' +
        'Start Docker, or set DOCKER_HOST.',
    );
  }
  try {
    installPrograms([
      {
        name: 'a Docker engine',
        isThere: () => isOnPath('dockerd') && isOnPath('docker'),
        apt: 'docker.io',
        others: 'see docs.docker.com/engine/install',
      },
    ]);
  } catch (error) {
    throw new NoEngineError(error instanceof Error ? error.message : String(error));
  }
  return startDaemon(prefix);
}

/** Starts the daemon, or takes over the daemon of a run that was killed. */
async function startDaemon(prefix: readonly string[]): Promise<Engine> {
  mkdirSync(IMAGE_TEST_FOLDER, { recursive: true });
  const host = `unix://${join(IMAGE_TEST_FOLDER, 'docker.sock')}`;
  const engine = { host, isOwn: true, stop: () => stopDaemon(prefix, host) };
  if (await isReachable(host)) return engine;
  const args = ['--host', host, '--group', String(process.getgid?.() ?? 0), '--pidfile', PID_FILE];
  args.push('--data-root', join(IMAGE_TEST_FOLDER, 'data'), '--exec-root', join(IMAGE_TEST_FOLDER, 'exec'));
  const log = join(IMAGE_TEST_FOLDER, 'dockerd.log');
  const output = openSync(log, 'w');
  const [program = '', ...rest] = [...prefix, 'dockerd', ...args];
  // The daemon has a process group of its own, because Ctrl-C must not end it before its containers are removed.
  const child = spawn(program, rest, { stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  const ended = once(child, 'exit').then(
    () => true,
    () => true,
  );
  child.unref();
  const deadline = performance.now() + START_MS;
  while (!(await isReachable(host))) {
    const hasEnded = await Promise.race([ended, sleep(200, false)]);
    if (!hasEnded && performance.now() < deadline) continue;
    await stopDaemon(prefix, host);
    const lines = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
    throw new NoEngineError(`No container engine answers, and dockerd could not be started here:\n${lines}`);
  }
  return engine;
}

async function stopDaemon(prefix: readonly string[], host: string): Promise<void> {
  for (const signal of ['-TERM', '-KILL']) {
    await tryCommand([...prefix, 'pkill', signal, '--pidfile', PID_FILE]);
    const deadline = performance.now() + STOP_MS;
    while (existsSync(PID_FILE) && performance.now() < deadline) await sleep(100);
    if (!(await isReachable(host))) return;
  }
}

async function isReachable(host: string | undefined): Promise<boolean> {
  return (await tryCommand(['docker', 'info'], { env: engineEnvironment({ host }), timeoutMs: 10_000 })).ok;
}
