/**
 * Finds the known text that was probably meant: the nearest one by insertions, deletions, replacements and swaps of
 * neighboring characters, ignoring case.
 *
 * @returns null if no text is close
 */
export function findNearest(given: string, known: Iterable<string>): string | null {
  let nearestText: string | null = null;
  // At most a third of the characters may differ.
  let leastDistance = Math.floor(Math.max(given.length, 3) / 3) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - given.length) >= leastDistance) continue;
    const distance = computeDistance(given.toLowerCase(), candidate.toLowerCase());
    if (distance < leastDistance) [leastDistance, nearestText] = [distance, candidate];
  }
  return nearestText;
}

/** The optimal string alignment distance of two texts. */
function computeDistance(a: string, b: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = getCell(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        replaced,
        getCell(last, j) + 1,
        getCell(row, j - 1) + 1,
        isSwap ? getCell(beforeLast, j - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return getCell(last, b.length);
}

function getCell(row: readonly number[] | undefined, index: number): number {
  return row?.[index] ?? Infinity;
}
