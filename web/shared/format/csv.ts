/** Text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * CSV (RFC 4180) that is safe to open in a spreadsheet: a cell that would be a formula begins with an apostrophe.
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
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
