import type { Contender } from './contenders/contender.ts';
import { goals, computeRatios, type Results } from './goals.ts';
import { median, type Sample } from './measure.ts';

/** Formats a table of all measured contenders, in Markdown. */
export function formatContenders(contenders: readonly Contender[], results: Results): string {
  const notes: string[] = [];
  const rows = contenders.flatMap(({ name, title, differs }) => {
    const rounds = results.get(name) ?? [];
    const samples = rounds.filter((sample) => sample !== null && sample !== undefined);
    if (samples.length === 0) return [];
    const dropped = rounds.filter((sample) => sample === null).length;
    const droppedText = dropped === 0 ? undefined : `${dropped} of ${samples.length + dropped} rounds dropped`;
    const note = [differs, droppedText].filter((part) => part !== undefined).join('; ');
    // Rows with the same note share a footnote.
    if (note !== '' && !notes.includes(note)) notes.push(note);
    const mark = note === '' ? '' : ` [${notes.indexOf(note) + 1}]`;
    const listValues = (field: keyof Sample) => samples.map((sample) => sample[field]);
    const toExpress = computeRatios(results, name, 'bare-express');
    return [
      [
        `${title}${mark}`,
        `${median(listValues('cpu')).toFixed(1)} (${formatSpread(listValues('cpu'), 1)})`,
        toExpress === null ? '' : toExpress.median.toFixed(2),
        Math.round(median(listValues('requestsPerSecond'))).toLocaleString('en'),
        median(listValues('p99')).toFixed(1),
        median(listValues('redisCpu')).toFixed(1),
        `${Math.round(median(listValues('busy')) * 100)}%`,
      ],
    ];
  });
  const head = [
    '',
    'CPU µs/request',
    'relative to bare Express',
    'requests/s',
    'p99 ms',
    'of Redis µs/request',
    'core used',
  ];
  const footnotes = notes.map((note, index) => `[${index + 1}] ${note}`).join('  \n');
  return `${formatTable(head, rows)}\n${footnotes === '' ? '' : `\n${footnotes}\n`}`;
}

export function formatGoals(results: Results): string {
  const rows = goals.map(({ title, of, to, atMost }) => {
    const result = computeRatios(results, of, to);
    if (result === null) return [title, `≤ ${atMost.toFixed(2)}`, '', 'not measured'];
    return [
      title,
      `≤ ${atMost.toFixed(2)}`,
      `${result.median.toFixed(2)} (${formatSpread(result.all, 2)})`,
      formatVerdict(result.median, atMost),
    ];
  });
  return `${formatTable(['CPU per request', 'goal', 'measured', ''], rows)}\n`;
}

/** Formats the verdict on a goal for a cell of a table. */
export function formatVerdict(ratio: number, atMost: number): string {
  return ratio <= atMost ? 'met' : '**missed**';
}

export function formatSpread(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

/**
 * Formats a table in Markdown. Columns are padded, so that the table is also readable in a terminal. The first column
 * is text, and the others are figures.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const allRows = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...allRows.map((row) => row[column]!.length)));
  const formatLine = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [formatLine(head), rule, ...rows.map(formatLine)].join('\n');
}
