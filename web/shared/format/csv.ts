/** Where a spreadsheet would begin a formula, also one that splits cells at semicolons. */
const FORMULA = /^(?=[\t\r\n=+\-@＝＋－＠])|(?<=;)(?=[=+\-@＝＋－＠])/g;

/**
 * CSV (RFC 4180) that is safe to open in a spreadsheet: what would be a formula has an apostrophe in front of it.
 * Numbers stay unchanged.
 */
export function toCsv(head: readonly string[], rows: Iterable<readonly (string | number | null)[]>): string {
  const lines = [head.map(cell)];
  for (const row of rows) lines.push(row.map(cell));
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = value.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
