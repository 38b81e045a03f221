/** A line of a CSV file (RFC 4180) with its end; null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\n`;
}

/** Quoted where a reader would otherwise take it for something else, or trim it. */
function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that no spreadsheet takes as a formula, and runs: one that begins like a formula gets an apostrophe. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
