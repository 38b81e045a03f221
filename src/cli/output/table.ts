import { fit, harmless, textWidth } from './text-width.ts';

export interface Column {
  readonly title: string;
  /** Never cut: an id that is not complete is useless. */
  readonly whole?: boolean;
  readonly right?: boolean;
}

const MAX_WIDTH = 100;
const MIN_COLUMN_WIDTH = 6;
const GAP = '  ';

/** A table for people, at most `MAX_WIDTH` columns wide unless the cells that must not be cut are wider. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(harmless));
  const natural = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => textWidth(row[index] ?? ''))),
  );
  const widths = narrowed(columns, natural);
  const line = (row: readonly string[]) =>
    columns
      .map(({ right }, index) => pad(row[index] ?? '', widths[index] ?? 0, right === true))
      .join(GAP)
      .trimEnd();
  return [columns.map(({ title }) => title), ...cells].map((row) => `${line(row)}\n`).join('');
}

/** Narrows the widest column that may be cut, until the table fits. */
function narrowed(columns: readonly Column[], natural: readonly number[]): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - MAX_WIDTH;
  for (; excess > 0; excess--) {
    const widest = widths.reduce((best, width, index) => {
      const least = Math.max(MIN_COLUMN_WIDTH, columns[index]?.title.length ?? 0);
      if (columns[index]?.whole === true || width <= least) return best;
      return best === -1 || width > (widths[best] ?? 0) ? index : best;
    }, -1);
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function pad(text: string, width: number, right: boolean): string {
  const shown = fit(text, width);
  const space = ' '.repeat(Math.max(0, width - textWidth(shown)));
  return right ? space + shown : shown + space;
}

/** Names and values, one per line; nothing is cut. */
export function fields(values: readonly (readonly [string, string])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `${name.padEnd(width)}${GAP}${harmless(value)}\n`).join('');
}
