import { createInterface } from 'node:readline/promises';
import type { Environment } from '../config/environment.ts';

/** A command's access to the outside world. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Writes the result of the command, and nothing else, to standard output. */
  out(text: string): void;
  /** Writes errors, and hints for a person at the terminal, to standard error. */
  err(text: string): void;
  /** Prompts on standard error and reads the answer from the terminal; null without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Whether standard error is a terminal. */
  readonly watched: boolean;
  /** Terminal width of standard output, in characters; null if it is not a terminal. */
  readonly columns: number | null;
  /** Aborted when the reader of the output has gone away, to end commands that otherwise run until they are stopped. */
  readonly ended: AbortSignal;
}

export function processIo(ended: AbortSignal = new AbortController().signal): Io {
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
  // Ctrl-D ends the input. That does not count as yes.
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
