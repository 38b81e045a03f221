import { spawn } from 'node:child_process';

interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  /** The text that is written to standard input. */
  readonly input?: string;
  /** True to show the output while the command runs. */
  readonly isShown?: boolean;
}

interface CommandResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** Standard output and standard error, in the order in which they arrived. */
  readonly output: string;
}

/** Ten minutes, which is longer than any of these commands takes even on a slow machine. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** Runs a command to its end. `ok` is false if the command cannot be started, fails or takes too long. */
export function tryCommand(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const [program = '', ...args] = command;
  const { env, timeoutMs = DEFAULT_TIMEOUT_MS, input = '', isShown = false } = options;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let [stdout, output] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
        if (isShown) process.stderr.write(String(chunk));
      });
    }
    child.on('error', (error) => resolve({ ok: false, stdout: '', output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, stdout, output }));
    // Ignore the error of a command that ends before it reads its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * Runs a command to its end.
 *
 * @returns the standard output
 * @throws if the command fails, with all of its output
 */
export async function runCommand(command: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { ok, stdout, output } = await tryCommand(command, options);
  if (!ok) throw new Error(`${command.join(' ')} failed:\n${output.slice(-4000)}`);
  return stdout;
}
