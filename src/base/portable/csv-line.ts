/**
 * Signs with which a formula begins, also as East Asian keyboards write them (OWASP, "CSV Injection"). Some readers trim
 * cells.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
/** Separators, quotes and white space before such a sign. */
const BEFORE_FORMULA = /(?<![\s";])[\s";]+(?=[=+\-@＝＋－＠])/g;
/** Where spreadsheets begin a cell: they split at semicolons in many countries, and then a quoted line end ends a row. */
const SEPARATOR = /[;\t\r\n]/;

/**
 * A line of a CSV file (RFC 4180) with its end; null is an empty cell. Text that a spreadsheet would run as a formula
 * gets an apostrophe in front of it, because consumers choose some of the names that operators open there. Numbers stay
 * unchanged.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  return quoted(withoutFormulas(value));
}

/** A quote after a separator is doubled, and then looks like an empty cell in quotes in front of the sign. */
function withoutFormulas(text: string): string {
  const inner = text.replaceAll(BEFORE_FORMULA, (before) => (SEPARATOR.test(before) ? `${before}'` : before));
  return FORMULA.test(inner) ? `'${inner}` : inner;
}

/** Quotes text that a reader would otherwise misread or trim. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
