/**
 * Where a spreadsheet would begin a formula (OWASP, "CSV Injection"): at the start of a cell, and where it splits cells at
 * semicolons, as in many countries. It also takes the full-width signs of East Asian keyboards.
 */
const FORMULA = /^(?=[\t\r\n=+\-@＝＋－＠])|(?<=;)(?=[=+\-@＝＋－＠])/g;

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
  return quoted(value.replaceAll(FORMULA, "'"));
}

/** Quotes text that a reader would otherwise misread or trim. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
