import stringWidth from 'string-width';
import { csvLine } from '../../base/csv-line.ts';
import { toDateTime } from '../../base/time.ts';
import { LENGTHS } from '../../control-plane/history/tables/times.ts';
import type { FiguresAnswer, SeriesAnswer, UsageHistoryAnswer } from '../admin/answers.ts';
import { bar, sparkline } from './chart.ts';
import { table, type Column } from './table.ts';
import { time } from './format.ts';

const CSV_COLUMNS = ['group', 'at', 'requests', 'units', 'refused', 'errors', 'p50Ms', 'p95Ms', 'p99Ms'];
const FIGURES: readonly Column[] = ['REQUESTS', 'UNITS', 'REFUSED', 'ERRORS', 'P50 MS', 'P95 MS', 'P99 MS'].map(
  (title) => ({ title, whole: true, right: true }),
);
const DRAWN = ['requests', 'refused', 'errors'] as const;
type Drawn = (typeof DRAWN)[number];
const NOTHING: FiguresAnswer = {
  requests: 0,
  units: 0,
  refused: 0,
  errors: 0,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
};
/** More bars than this do not fit on a screen; a sparkline does. */
const MAX_BARS = 50;
/** Columns of a chart. */
const MIN_CHART_WIDTH = 10;
const MAX_CHART_WIDTH = 60;
const GAP = 2;

export function historyCsv({ series }: UsageHistoryAnswer): string {
  const rows = series.flatMap(({ group, points }) =>
    points.map(({ at, requests, units, refused, errors, p50Ms, p95Ms, p99Ms }) => {
      return [group, at, requests, units, refused, errors, p50Ms, p95Ms, p99Ms];
    }),
  );
  return [CSV_COLUMNS, ...rows].map(csvLine).join('');
}

/**
 * A table, and where there is a terminal, drawings in it.
 *
 * @param by what the series are of; undefined: there is one of everything
 * @param columns of the terminal; null if there is none
 */
export function historyText(answer: UsageHistoryAnswer, by: string | undefined, columns: number | null): string {
  const period = `${time(answer.from)} to ${time(answer.to)} UTC, by the ${answer.every}\n`;
  if (answer.series.every(({ totals }) => totals.requests === 0)) return `${period}No requests.\n`;
  const drawn = by === undefined ? intervals(answer, columns) : groups(answer, by, columns);
  return `${period}\n${drawn}`;
}

function groups({ series, others, ...period }: UsageHistoryAnswer, by: string, columns: number | null): string {
  const rows = series.map(({ group, totals }) => [group ?? 'none', ...cellsOf(totals)]);
  if (others !== null) rows.push(['others', ...cellsOf(others)]);
  const names: Column = { title: by.toUpperCase(), whole: by === 'key' || by === 'operation' };
  const text = table([names, ...FIGURES], rows, columns === null ? null : columns - MIN_CHART_WIDTH);
  if (columns === null) return text;
  return beside(text, columns, (width) =>
    series.map(({ points }) => sparkline(spread(period, points, 'requests'), width)),
  );
}

/** A row an interval; in a terminal, one a figure where the intervals are too many. */
function intervals({ series, ...period }: UsageHistoryAnswer, columns: number | null): string {
  const [{ totals, points }] = series as [SeriesAnswer];
  const requests = spread(period, points, 'requests');
  if (columns === null) return intervalTable(points, totals);
  if (requests.length > MAX_BARS) return figures(totals, columns, (figure) => spread(period, points, figure));
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  const every = requests.map((_, index) => {
    const at = Date.parse(period.from) + index * LENGTHS[period.every];
    return byTime.get(at) ?? { ...NOTHING, at: toDateTime(at) };
  });
  const max = Math.max(...requests);
  return beside(intervalTable(every, totals), columns, (width) => requests.map((value) => bar(value, max, width)));
}

function intervalTable(points: SeriesAnswer['points'], totals: FiguresAnswer): string {
  const rows = points.map(({ at, ...of }) => [time(at), ...cellsOf(of)]);
  return table([{ title: 'FROM (UTC)', whole: true }, ...FIGURES], [...rows, ['total', ...cellsOf(totals)]], null);
}

function figures(totals: FiguresAnswer, columns: number, valuesOf: (figure: Drawn) => readonly number[]): string {
  const titles = [
    { title: '', whole: true },
    { title: 'TOTAL', whole: true, right: true },
  ];
  const rows = DRAWN.map((figure) => [figure, String(totals[figure])]);
  const drawn = beside(table(titles, rows, null), columns, (width) =>
    DRAWN.map((figure) => sparkline(valuesOf(figure), width)),
  );
  const [p50, p95, p99] = [totals.p50Ms, totals.p95Ms, totals.p99Ms].map(inShort);
  return `${drawn}\nHalf of them took at most ${p50} ms, 95 % ${p95} ms, 99 % ${p99} ms.\n`;
}

/** Adds a drawing at the end of each row of a table. */
function beside(text: string, columns: number, chart: (width: number) => readonly string[]): string {
  const [head = '', ...lines] = text.split('\n');
  const used = Math.max(...[head, ...lines].map((line) => stringWidth(line))) + GAP;
  const drawings = chart(Math.min(MAX_CHART_WIDTH, Math.max(MIN_CHART_WIDTH, columns - used)));
  const drawn = lines.map((line, index) => {
    const drawing = drawings[index] ?? '';
    return drawing.trim() === '' ? line : line + ' '.repeat(used - stringWidth(line)) + drawing.trimEnd();
  });
  return [head, ...drawn].join('\n');
}

/** A figure of every interval, those without requests too. */
function spread(
  { from, to, every }: Pick<UsageHistoryAnswer, 'from' | 'to' | 'every'>,
  points: SeriesAnswer['points'],
  figure: Drawn,
): number[] {
  const start = Date.parse(from);
  const values = Array<number>(Math.round((Date.parse(to) - start) / LENGTHS[every])).fill(0);
  for (const point of points) values[(Date.parse(point.at) - start) / LENGTHS[every]] = point[figure];
  return values;
}

function cellsOf({ requests, units, refused, errors, p50Ms, p95Ms, p99Ms }: FiguresAnswer): string[] {
  return [...[requests, units, refused, errors].map(String), ...[p50Ms, p95Ms, p99Ms].map(inShort)];
}

/** Three digits: what is counted in buckets is not known better. */
function inShort(ms: number | null): string {
  return ms === null ? '' : String(Number(ms.toPrecision(3)));
}
