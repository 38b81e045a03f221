/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Formats a `tollgate` command that the reader can run. Options without a value are left out. */
export function commandLine(
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `--${name} ${quoted(String(value))}`);
  return ['tollgate', ...words.map(quoted), ...parts].join(' ');
}
