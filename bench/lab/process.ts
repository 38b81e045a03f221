import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that the bench has started on one core. */
export interface Program {
  readonly pid: number;
  /** The ids of the program and all its descendants. For example, nginx works in a child process. */
  pids(): number[];
  /** The end of its standard error if the program has ended; null while it runs. */
  failure(): string | null;
  signal(name: NodeJS.Signals): void;
  /** Asks the program to end, and kills it if it has not ended after a while. */
  stop(timeoutMs?: number): Promise<void>;
}

interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const runningPrograms = new Set<Program>();

// No program may outlive the bench, however the bench ends (except by SIGKILL).
process.on('exit', () => {
  for (const program of runningPrograms) for (const pid of program.pids()) kill(pid, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

/**
 * Starts a program on one core. Standard output, including access logs, goes to /dev/null, so that formatting and
 * writing a line is measured, but not the disk.
 */
export function startProgram(
  core: number,
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Program {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...options.env },
    cwd: options.cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let outputText = '';
  child.stderr?.on('data', (chunk) => (outputText = (outputText + String(chunk)).slice(-4000)));
  // taskset replaces itself with the command, so the child is the program.
  const pid = child.pid ?? 0;
  const program: Program = {
    pid,
    pids: () => (hasEnded(child) ? [] : listProcessTree(pid)),
    failure: () =>
      hasEnded(child)
        ? `${basename(command)} ended (${child.exitCode ?? child.signalCode}): ${outputText.trim()}`
        : null,
    signal: (name) => void child.kill(name),
    async stop(timeoutMs = 3000) {
      if (!hasEnded(child)) {
        const ended = once(child, 'exit');
        const processIds = listProcessTree(pid);
        child.kill('SIGTERM');
        const hasEndedInTime = await Promise.race([ended.then(() => true), sleep(timeoutMs, false, { ref: false })]);
        if (!hasEndedInTime) {
          for (const member of processIds) kill(member, 'SIGKILL');
          await ended;
        }
      }
      runningPrograms.delete(program);
    },
  };
  runningPrograms.add(program);
  return program;
}

/** Stops all programs after a failure, because a remaining program would keep the bench from ending. */
export async function stopAll(): Promise<void> {
  await Promise.all([...runningPrograms].map((program) => program.stop()));
}

/** Waits until the condition holds. Fails when the program ends, or after `withinMs` at the latest. */
export async function waitUntil(program: Program, isReady: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    const failure = program.failure();
    if (failure !== null) throw new Error(failure);
    if (await isReady()) return;
    await sleep(5);
  }
  throw new Error(`it did not get ready within ${withinMs / 1000} s`);
}

/** Runs a command to its end and returns its standard output. */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = once(child, 'close');
  let outputText = '';
  let errorText = '';
  child.stdout.on('data', (chunk) => (outputText += String(chunk)));
  child.stderr.on('data', (chunk) => (errorText += String(chunk)));
  await end;
  if (child.exitCode !== 0) throw new Error(`${command} failed (${child.exitCode}): ${errorText || outputText}`);
  return outputText;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

function listProcessTree(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '));
    return [pid, ...children.filter((child) => child !== '').flatMap((child) => listProcessTree(Number(child)))];
  } catch {
    return [];
  }
}
