import { createInterface } from 'node:readline/promises';
import type { Environment } from '../config/environment.ts';

/** The environment, output and terminal of a command. Tests replace it. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Writes to standard output, which is only for the result of the command. */
  out(text: string): void;
  /** Writes to standard error, which is for errors, prompts and hints. */
  err(text: string): void;
  /** Asks a question at the terminal; null if there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Whether standard error is a terminal. */
  readonly watched: boolean;
  /** The width of the terminal in characters; null if standard output is not a terminal. */
  readonly columns: number | null;
  /** Aborted when nothing reads the output any more, to end commands that run until they are stopped. */
  readonly ended: AbortSignal;
}

export function createProcessIo(ended: AbortSignal = new AbortController().signal): Io {
  return {
    ended,
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    ask: process.stdin.isTTY && process.stderr.isTTY ? askAtTerminal : null,
    watched: process.stderr.isTTY,
    columns: process.stdout.isTTY ? process.stdout.columns : null,
  };
}

async function askAtTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D closes the input without an answer, which must not count as yes.
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
