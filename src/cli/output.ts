import { type Limits, listWindows } from '../domain/quota-limits.ts';
import type { LinkResponse } from './admin-api-types.ts';
import type { Io } from './io.ts';

/** Prints the result for `--json`. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Formats an RFC 3339 time in UTC for people, such as `2026-11-21 09:30:00`. */
export function formatTime(text: string): string {
  return new Date(text).toISOString().slice(0, 19).replace('T', ' ');
}

export function formatDay(text: string | null): string {
  return text === null ? 'never' : formatTime(text).slice(0, 10);
}

export function formatLimits(limits: Limits): string {
  return listWindows<number>(limits)
    .map(({ name, view }) => `${view} a ${name}`)
    .join(', ');
}

export function printLink(io: Io, { url, expiresAt }: LinkResponse): void {
  io.out(`${url}\n\nThe link works once, for anyone who has it, until ${formatTime(expiresAt)} UTC.\n`);
}

const BAR_WIDTH = 30;

/** A progress bar on standard error, shown only if that is a terminal. */
export class Progress {
  readonly #io: Io;
  readonly #what: string;
  #shown = false;

  constructor(io: Io, what: string) {
    this.#io = io;
    this.#what = what;
  }

  show(done: number, total: number): void {
    if (!this.#io.watched) return;
    this.#shown = true;
    const filled = Math.round((done / total) * BAR_WIDTH);
    const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
    this.#io.err(`\r[${bar}] ${done} of ${total} ${this.#what}`);
  }

  /** Ends the line of the progress bar, so that further output starts on a new line. */
  end(): void {
    if (this.#shown) this.#io.err('\n');
  }
}
