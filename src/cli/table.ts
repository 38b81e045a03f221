import { toPrintable } from '../base/text.ts';
import stringWidth from 'string-width';

export interface Column {
  readonly title: string;
  /** Whether the cells are never truncated, for example because an incomplete id is useless. */
  readonly whole?: boolean;
  readonly right?: boolean;
}

const MIN_COLUMN_WIDTH = 6;
const GAP = '  ';
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Formats a table for people.
 *
 * @param width the width of the terminal in characters; cells are truncated to fit, except in `whole` columns. Null
 *   means no limit
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string {
  const cells = rows.map((row) => row.map(toPrintable));
  const naturalWidths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const widths = width === null ? naturalWidths : narrowColumns(columns, naturalWidths, width);
  const line = (row: readonly string[]) =>
    columns
      .map(({ right }, index) => pad(row[index] ?? '', widths[index] ?? 0, right === true))
      .join(GAP)
      .trimEnd();
  return [columns.map(({ title }) => title), ...cells].map((row) => `${line(row)}\n`).join('');
}

/** Narrows the widest truncatable column until the table fits. */
function narrowColumns(columns: readonly Column[], naturalWidths: readonly number[], maxWidth: number): number[] {
  const widths = [...naturalWidths];
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - maxWidth;
  for (; excess > 0; excess--) {
    const widestColumnIndex = widths.reduce((best, width, index) => {
      const minWidth = Math.max(MIN_COLUMN_WIDTH, columns[index]?.title.length ?? 0);
      if (columns[index]?.whole === true || width <= minWidth) return best;
      return best === -1 || width > (widths[best] ?? 0) ? index : best;
    }, -1);
    if (widestColumnIndex === -1) break;
    widths[widestColumnIndex] = (widths[widestColumnIndex] ?? 0) - 1;
  }
  return widths;
}

function pad(text: string, width: number, right: boolean): string {
  const fitted = fit(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(fitted)));
  return right ? space + fitted : fitted + space;
}

/** Truncates a text to at most `width` characters, with an ellipsis. */
function fit(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let usedWidth = 0;
  for (const { segment } of graphemes.segment(text)) {
    usedWidth += stringWidth(segment);
    if (usedWidth > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Formats names and values, one pair per line, never truncated. */
export function formatFields(values: readonly (readonly [string, string])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `${name.padEnd(width)}${GAP}${toPrintable(value)}\n`).join('');
}
