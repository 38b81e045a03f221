/**
 * The first character of a formula, also in the forms of East Asian keyboards (OWASP, "CSV Injection"). White space may
 * come first, because some readers trim cells.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
/** Separators, quotes and white space before the first character of a formula. */
const BEFORE_FORMULA = /(?<![\s";])[\s";]+(?=[=+\-@＝＋－＠])/g;
/**
 * Characters at which spreadsheets begin a cell. In many countries they split at semicolons, and a quoted line end then
 * ends a row.
 */
const SEPARATOR = /[;\t\r\n]/;

/**
 * A line of a CSV file (RFC 4180), including its end. Null is an empty cell. Consumers choose some of the names that
 * operators open in a spreadsheet. So text that a spreadsheet would run as a formula gets an apostrophe in front of it.
 * Numbers stay unchanged.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  return quoted(withoutFormulas(value));
}

/**
 * Puts an apostrophe before each formula. A quote after a separator does not protect: `quoted` doubles it, and a
 * spreadsheet may then see an empty cell in quotes, followed by the formula.
 */
function withoutFormulas(text: string): string {
  const inner = text.replaceAll(BEFORE_FORMULA, (before) => (SEPARATOR.test(before) ? `${before}'` : before));
  return FORMULA.test(inner) ? `'${inner}` : inner;
}

/** Quotes text that a reader would otherwise misread or trim. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
