const LEVELS = '▁▂▃▄▅▆▇█';
/** Eighths of a cell, from the left. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const FULL = '█';

/** A bar of at most `width` cells, in steps of an eighth. Whatever is not 0 shows. */
export function bar(value: number, max: number, width: number): string {
  if (value <= 0) return '';
  const eighths = Math.max(1, Math.round((value / max) * width * 8));
  return FULL.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/**
 * One cell a value, or the sum of several neighbours where there are more than `width`; the highest is a full cell. An
 * empty cell is an interval with nothing in it.
 */
export function sparkline(values: readonly number[], width: number): string {
  const cells = grouped(values, Math.ceil(values.length / width));
  const max = Math.max(...cells);
  return cells.map((value) => (value <= 0 ? ' ' : LEVELS[Math.ceil((value / max) * LEVELS.length) - 1])).join('');
}

function grouped(values: readonly number[], size: number): number[] {
  const groups: number[] = [];
  for (let from = 0; from < values.length; from += size) {
    groups.push(values.slice(from, from + size).reduce((sum, value) => sum + value, 0));
  }
  return groups;
}
