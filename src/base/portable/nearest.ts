/**
 * Finds the known text that was probably meant: the nearest one by insertions, deletions, replacements and swaps of
 * neighboring characters, ignoring case.
 *
 * @returns null if no text is close
 */
export function nearest(given: string, known: Iterable<string>): string | null {
  let found: string | null = null;
  // At most a third of the characters may differ.
  let least = Math.floor(Math.max(given.length, 3) / 3) + 1;
  for (const one of known) {
    if (Math.abs(one.length - given.length) >= least) continue;
    const distance = distanceBetween(given.toLowerCase(), one.toLowerCase());
    if (distance < least) [least, found] = [distance, one];
  }
  return found;
}

/** The optimal string alignment distance of two texts. */
function distanceBetween(a: string, b: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1, isSwap ? at(beforeLast, j - 2) + 1 : Infinity);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[] | undefined, index: number): number {
  return row?.[index] ?? Infinity;
}
