/**
 * Limits within which browsers can parse Markdown without blocking. The portal renders pages only within these limits
 * (`web/portal/markdown`), and the configuration checks the pages of operators against them.
 */

export const MAX_LENGTH = 100_000;
export const MAX_LINES = 2000;
export const MAX_NESTING = 30;
/**
 * Maximum sum of the squares of two kinds of counts: list levels and marks. The parser's time grows with these squares,
 * and is about a second at the maximum.
 */
const MAX_WORK = 2_000_000;

export interface MarkdownFault {
  /** The line of the fault, counted from 0. */
  readonly line: number;
  /**
   * `length`, `lines` and `nesting` exceed the maximum. `lists`: too many lists and quotes in the text. `marks`: too
   * many marks such as `*` and `[` in paragraphs.
   */
  readonly kind: 'length' | 'lines' | 'nesting' | 'lists' | 'marks';
}

/** Finds why a text exceeds the limits; null if it does not. */
export function findMarkdownFault(text: string): MarkdownFault | null {
  if (text.length > MAX_LENGTH) return { line: 0, kind: 'length' };
  const lines = text.split(/\r\n?|\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) return { line: MAX_LINES, kind: 'lines' };
  // The number of lists and quotes counts for the whole text, and the number of other marks for each paragraph.
  let [levels, marks, listWork, markWork] = [0, 0, 0, 0];
  for (const [line, words] of lines.entries()) {
    if (words.trim() === '') marks = 0;
    const nesting = countNesting(words);
    if (nesting > MAX_NESTING) return { line, kind: 'nesting' };
    const added = words.match(/[*_[\]<>`!]/g)?.length ?? 0;
    markWork += growth(marks, added);
    listWork += growth(levels, nesting);
    if (markWork + listWork > MAX_WORK) return { line, kind: markWork > listWork ? 'marks' : 'lists' };
    marks += added;
    levels += nesting;
  }
  return null;
}

/** How much the square of `number` grows if `by` is added to it. */
function growth(number: number, by: number): number {
  return (2 * number + by) * by;
}

/** The number of lists and quotes that a line begins or belongs to. */
function countNesting(line: string): number {
  const [, spaces = '', markers = ''] = /^(\s*)((?:(?:>|[-+*]|\d+[.)])(?=[\s>]|$)\s*)*)/.exec(line) ?? [];
  const markerCount = markers.match(/[>*+\-.)]/g)?.length ?? 0;
  return markerCount === 0 ? 0 : markerCount + Math.floor(spaces.length / 2);
}
