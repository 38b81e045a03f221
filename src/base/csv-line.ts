/** Text that a spreadsheet runs as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of a CSV file (RFC 4180) with its end; null is an empty cell. Text that a spreadsheet would run as a formula
 * gets an apostrophe in front, because consumers choose some of the names that operators open there. Numbers stay
 * unchanged.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  return quoted(FORMULA.test(value) ? `'${value}` : value);
}

/** Quotes text that a reader would otherwise misread or trim. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
