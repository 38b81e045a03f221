import { createInterface } from 'node:readline/promises';
import type { Environment } from '../config/environment.ts';

/** A command's access to the world around it. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Writes to standard output: what was asked for, and nothing else. */
  out(text: string): void;
  /** Writes to standard error: what went wrong, and what is only for people watching. */
  err(text: string): void;
  /** Asks the person at the terminal, on standard error; null if there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Whether somebody watches standard error. */
  readonly watched: boolean;
  /** Width of the terminal that standard output goes to, in characters; null if it goes elsewhere. */
  readonly columns: number | null;
  /** Aborted when nobody reads the output any more, which ends commands that run until they are stopped. */
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
  // It also ends when the terminal's input does (Ctrl-D), which does not count as yes.
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
