/**
 * Matches text that starts with the first character of a formula, including full-width forms (OWASP, "CSV Injection").
 * White space may precede it, because some readers trim cells.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
/** Matches separators, quotes and white space before the first character of a formula. */
const BEFORE_FORMULA = /(?<![\s";])[\s";]+(?=[=+\-@＝＋－＠])/g;
/**
 * Characters at which a spreadsheet may begin a new cell. In many countries, spreadsheets split at semicolons, and then
 * even a quoted line end ends a row.
 */
const SEPARATOR = /[;\t\r\n]/;

/**
 * Formats a line of a CSV file (RFC 4180), including the line end. Null is an empty cell. Some texts are chosen by
 * consumers, and operators open them in a spreadsheet. So an apostrophe is put before text that the spreadsheet would
 * run as a formula. Numbers are not changed.
 */
export function formatCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(formatCsvCell).join(',')}\n`;
}

function formatCsvCell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  return quoteCell(withoutFormulas(value));
}

/**
 * Puts an apostrophe before each formula in a text, even after a separator and a quote. `quoted` doubles that quote, so
 * a spreadsheet may see an empty quoted cell, followed by the formula.
 */
function withoutFormulas(text: string): string {
  const inner = text.replaceAll(BEFORE_FORMULA, (before) => (SEPARATOR.test(before) ? `${before}'` : before));
  return FORMULA.test(inner) ? `'${inner}` : inner;
}

/** Quotes text that would otherwise be split or trimmed. */
function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
