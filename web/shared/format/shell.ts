/** A word as a POSIX shell takes it literally. */
export function quoted(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
