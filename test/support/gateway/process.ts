import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './gateway.ts';

/** A program of ours in a process of its own, and all that it has said so far. */
export interface Running {
  readonly child: ChildProcess;
  output(): string;
  /** Waits for something to be said; rejects if the process ends first. */
  said(what: RegExp): Promise<RegExpExecArray>;
  /** Waits for the end; the exit code, or the signal. */
  ended(): Promise<number | string>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends a process with the test file that started it, also where its test failed before it could. */
export function killAtExit(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** What our programs get of the environment of the tests: where programs are, and what is compiled already. */
export function inherited(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** Runs `node FILE …`, with nothing in its environment but what is given and `inherited()`. */
export function run(file: string, args: readonly string[], env: Record<string, string>): Running {
  return runProgram(process.execPath, [join(root, file), ...args], env);
}

/** Runs any program in the project's folder, with the same little environment. */
export function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const end = once(child, 'close');
  return {
    child,
    output: () => output,
    async said(what) {
      for (;;) {
        const found = what.exec(output);
        if (found !== null) return found;
        const ended = child.exitCode !== null || child.signalCode !== null;
        if (ended) throw new Error(`ended without saying ${String(what)}:\n${output}`);
        await Promise.race([once(child.stdout ?? child, 'data'), once(child.stderr ?? child, 'data'), end]);
      }
    },
    async ended() {
      await end;
      return child.exitCode ?? child.signalCode ?? '';
    },
  };
}

/** A gateway with a data directory of its own and free ports, once it listens. */
export async function runGateway(dataDir: string, env: Record<string, string> = {}, file = 'src/main.ts') {
  const running = run(file, [], {
    TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'),
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
    ...env,
  });
  const [, publicUrl = '', adminUrl = ''] = await running.said(/"publicUrl":"([^"]+)","adminUrl":"([^"]+)"/);
  return { ...running, publicUrl, adminUrl };
}
