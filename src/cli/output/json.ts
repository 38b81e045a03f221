import type { Io } from '../io.ts';

/** What `--json` answers. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}
