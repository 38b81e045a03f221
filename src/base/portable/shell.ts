/** Quotes a word for a POSIX shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Formats a `tollgate` command that the reader can run. Options without a value are left out. */
export function formatCommandLine(
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>>,
): string {
  const givenOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  const parts = givenOptions.map(([name, value]) => `--${name} ${quoteWord(String(value))}`);
  return ['tollgate', ...words.map(quoteWord), ...parts].join(' ');
}
