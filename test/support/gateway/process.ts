import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './gateway.ts';

/** A running program and its output so far. */
export interface RunningProgram {
  readonly child: ChildProcess;
  output(): string;
  /** Waits until the output matches, and returns the match. Rejects if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for the process to end. Resolves to its exit code or signal. */
  ended(): Promise<number | string>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Kills a process when the test file ends, even if the test failed before stopping it. */
export function killAtExit(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** The environment variables that child processes get from this process: `PATH` and the compile cache. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** Runs `node FILE …`. Its environment has only `env` and `inheritedEnvironment()`. */
export function run(file: string, args: readonly string[], env: Record<string, string>): RunningProgram {
  return runProgram(process.execPath, [join(root, file), ...args], env);
}

/** Runs a program with no environment but `env` and `inheritedEnvironment()`, by default in the project's folder. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder = root,
): RunningProgram {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const end = once(child, 'close');
  return {
    child,
    output: () => output,
    async waitForOutput(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found !== null) return found;
        const ended = child.exitCode !== null || child.signalCode !== null;
        if (ended) throw new Error(`ended without saying ${String(pattern)}:\n${output}`);
        await Promise.race([once(child.stdout ?? child, 'data'), once(child.stderr ?? child, 'data'), end]);
      }
    },
    async ended() {
      await end;
      return child.exitCode ?? child.signalCode ?? '';
    },
  };
}

/** Runs a gateway with its own data directory and free ports. Resolves when the gateway listens. */
export async function runGateway(dataDir: string, env: Record<string, string> = {}, file = 'src/main.ts') {
  const running = run(file, [], {
    TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'),
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
    ...env,
  });
  const [, publicUrl = '', adminUrl = ''] = await running.waitForOutput(/"publicUrl":"([^"]+)","adminUrl":"([^"]+)"/);
  return { ...running, publicUrl, adminUrl };
}
