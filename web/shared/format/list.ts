/** Formats a list for a text field, separated by commas. */
export function formatList(list: readonly string[] | null | undefined): string {
  return (list ?? []).join(', ');
}

/** Parses a comma-separated list. Null if it is empty. */
export function parseList(text: string): string[] | null {
  const list = text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return list.length === 0 ? null : [...new Set(list)];
}
