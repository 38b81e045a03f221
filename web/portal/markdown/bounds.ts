const MAX_LENGTH = 100_000;
const MAX_LINES = 2000;
const MAX_NESTING = 30;
/** The parser's time grows with these squares: at the maximum, it takes about a second. */
const MAX_WORK = 2_000_000;

/** Whether a text can be parsed as Markdown without blocking the page. */
export function isParsable(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const lines = text.split(/\r\n?|\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) return false;
  // Lists and quotes cost across the whole text, other marks within a paragraph.
  let [levels, marks, work] = [0, 0, 0];
  for (const line of lines) {
    if (line.trim() === '') marks = 0;
    const nesting = nestingOf(line);
    if (nesting > MAX_NESTING) return false;
    const added = line.match(/[*_[\]<>`!]/g)?.length ?? 0;
    work += growth(marks, added) + growth(levels, nesting);
    if (work > MAX_WORK) return false;
    marks += added;
    levels += nesting;
  }
  return true;
}

/** How much the square of a number grows. */
function growth(number: number, by: number): number {
  return (2 * number + by) * by;
}

/** How many lists and quotes a line begins, or is in. */
function nestingOf(line: string): number {
  const [, spaces = '', markers = ''] = /^(\s*)((?:(?:>|[-+*]|\d+[.)])(?=[\s>]|$)\s*)*)/.exec(line) ?? [];
  const begun = markers.match(/[>*+-]|\d+[.)]/g)?.length ?? 0;
  return begun === 0 ? 0 : begun + Math.floor(spaces.length / 2);
}
