import type { Statements } from './statements.ts';

const KEYS_PER_SLICE = 1000;

/** Ranges of numbers in `history_names`, from the first to before the last: each a bounded piece of work. */
export async function keySlices(statements: Statements): Promise<{ readonly from: number; readonly to: number }[]> {
  const [newest] = await statements.rows('SELECT max(no) AS no FROM history_names', []);
  const count = Math.floor(Number(newest?.['no']) / KEYS_PER_SLICE) + 1;
  return Array.from({ length: count }, (_, index) => ({
    from: index * KEYS_PER_SLICE,
    to: (index + 1) * KEYS_PER_SLICE,
  }));
}
