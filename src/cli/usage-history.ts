import { type Command, InvalidArgumentError, Option } from 'commander';
import stringWidth from 'string-width';
import { isDateTime, toDateTime, DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts';
import { INTERVAL_LENGTHS } from '../control-plane/history/store/calendar.ts';
import type { FiguresResponse, SeriesResponse, UsageHistoryResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { createAdminCommand, type AdminCommandOptions, toCount } from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { type Column, formatTable } from './table.ts';

interface Options extends AdminCommandOptions {
  readonly key?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly by?: string;
  /** How far back to show, in ms. */
  readonly since?: number;
  readonly from?: string;
  readonly to?: string;
  readonly every?: string;
  readonly limit?: number;
  readonly csv?: true;
}

export function createUsageHistoryCommand(io: Io): Command {
  const by = new Option('--by <what>', 'Group by').choices(['key', 'owner', 'plan', 'operation', 'outcome']);
  const every = new Option('--every <length>', 'Interval length').choices(['minute', 'hour', '6h', 'day']);
  return createAdminCommand(
    'history',
    'Show requests over time, for the last 24 hours unless --since or --from is given',
    'usage history --since 7d',
    'usage history --by key --since 30d --limit 20',
    'usage history --owner acme --by operation --since 90d --every day --csv',
  )
    .option('--key <id>', 'Filter by key')
    .option('--owner <owner>', 'Filter by owner')
    .option('--plan <id>', 'Filter by plan')
    .option('--operation <id>', 'Filter by operation')
    .option('--outcome <code>', 'Filter by outcome: served, or an error code')
    .addOption(by)
    .option('--since <duration>', 'How far back, such as 90m, 24h or 7d', toDuration)
    .option('--from <time>', 'Start time (inclusive), such as 2026-11-01T00:00:00Z', toTime)
    .option('--to <time>', 'End time (exclusive)', toTime)
    .addOption(every)
    .option('--limit <count>', 'Maximum number of groups (10; with --csv, all)', toCount)
    .option('--csv', 'Print CSV, one line per group and interval')
    .action((options: Options) => show(io, options));
}

async function show(io: Io, { json, csv, since, ...query }: Options): Promise<void> {
  if (json === true && csv === true) throw new UsageFailure('--json and --csv cannot be combined');
  if (since !== undefined && query.from !== undefined) throw new UsageFailure('--since and --from cannot be combined');
  const from = since === undefined ? query.from : new Date(io.now() - since).toISOString();
  const api = connect(io);
  const asked = { query: { ...query, from } };
  if (csv === true) {
    return api.download('/usage', { ...asked, accept: 'text/csv', ended: io.ended }, (text) => io.out(text));
  }
  const { body } = await api.call<UsageHistoryResponse>('GET', '/usage', asked);
  if (json === true) return printJson(io, body);
  io.out(formatHistory(body, query.by, io.columns));
  if (body.others !== null) io.err('There are more groups, added up as "others". Use --limit to see more of them.\n');
}

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

export function toDuration(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (UNITS_MS[unit] ?? 0);
  throw new InvalidArgumentError('Use a number of minutes, hours or days, such as 90m, 24h or 7d.');
}

function toTime(text: string): string {
  if (isDateTime(text)) return text;
  throw new InvalidArgumentError('Use a date and time with an offset, such as 2026-11-01T00:00:00Z.');
}

const FIGURES: readonly Column[] = ['REQUESTS', 'UNITS', 'REFUSED', 'ERRORS', '4XX', 'P50 MS', 'P95 MS', 'P99 MS'].map(
  (title) => ({ title, whole: true, right: true }),
);
const FIGURE_LABELS = { requests: 'requests', refused: 'refused', errors: 'errors', clientErrors: '4xx' } as const;
type DrawnFigure = keyof typeof FIGURE_LABELS;
const DRAWN_FIGURES = Object.keys(FIGURE_LABELS) as DrawnFigure[];
const ZERO_FIGURES: FiguresResponse = {
  requests: 0,
  units: 0,
  refused: 0,
  errors: 0,
  clientErrors: 0,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
};
/** Maximum number of bars, one per interval. For more intervals, sparklines are shown instead. */
const MAX_BARS = 50;
/** The minimum and maximum width of a chart, in characters. */
const MIN_CHART_WIDTH = 10;
const MAX_CHART_WIDTH = 60;
const GAP = 2;

/**
 * Formats the history as a table, with charts next to it at a terminal.
 *
 * @param by the grouping; undefined for a single series of all requests
 * @param columns the width of the terminal; null if there is none
 */
function formatHistory(response: UsageHistoryResponse, by: string | undefined, columns: number | null): string {
  const period = `${formatTime(response.from)} to ${formatTime(response.to)} UTC, per ${response.every}\n`;
  if (response.series.every(({ totals }) => totals.requests === 0)) return `${period}No requests found.\n`;
  const drawn = by === undefined ? formatIntervals(response, columns) : formatGroups(response, by, columns);
  return `${period}\n${drawn}`;
}

function formatGroups({ series, others, ...period }: UsageHistoryResponse, by: string, columns: number | null): string {
  const rows = series.map(({ group, totals }) => [group ?? 'none', ...formatCells(totals)]);
  if (others !== null) rows.push(['others', ...formatCells(others)]);
  const names: Column = { title: by.toUpperCase(), whole: by === 'key' || by === 'operation' };
  const text = formatTable([names, ...FIGURES], rows, columns === null ? null : columns - MIN_CHART_WIDTH);
  if (columns === null) return text;
  return addCharts(text, columns, (width) =>
    series.map(({ points }) => drawSparkline(fillIntervals(period, points, 'requests'), width)),
  );
}

/** Formats one row per interval. At a terminal, if there are too many intervals, formats one row per figure instead. */
function formatIntervals({ series, ...period }: UsageHistoryResponse, columns: number | null): string {
  const [{ totals, points }] = series as [SeriesResponse];
  const requests = fillIntervals(period, points, 'requests');
  if (columns === null) return formatIntervalTable(points, totals);
  if (requests.length > MAX_BARS)
    return formatFigures(totals, columns, (figure) => fillIntervals(period, points, figure));
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  const every = requests.map((_, index) => {
    const at = Date.parse(period.from) + index * INTERVAL_LENGTHS[period.every];
    return byTime.get(at) ?? { ...ZERO_FIGURES, at: toDateTime(at) };
  });
  const max = Math.max(...requests);
  return addCharts(formatIntervalTable(every, totals), columns, (width) =>
    requests.map((value) => drawBar(value, max, width)),
  );
}

function formatIntervalTable(points: SeriesResponse['points'], totals: FiguresResponse): string {
  const rows = points.map(({ at, ...of }) => [formatTime(at), ...formatCells(of)]);
  return formatTable(
    [{ title: 'FROM (UTC)', whole: true }, ...FIGURES],
    [...rows, ['total', ...formatCells(totals)]],
    null,
  );
}

function formatFigures(
  totals: FiguresResponse,
  columns: number,
  valuesOf: (figure: DrawnFigure) => readonly number[],
): string {
  const titles = [
    { title: '', whole: true },
    { title: 'TOTAL', whole: true, right: true },
  ];
  const rows = DRAWN_FIGURES.map((figure) => [FIGURE_LABELS[figure], String(totals[figure])]);
  const drawn = addCharts(formatTable(titles, rows, null), columns, (width) =>
    DRAWN_FIGURES.map((figure) => drawSparkline(valuesOf(figure), width)),
  );
  const [p50, p95, p99] = [totals.p50Ms, totals.p95Ms, totals.p99Ms].map(formatMs);
  return `${drawn}\nLatency: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms.\n`;
}

/** Adds a chart at the end of each row of a table. */
function addCharts(text: string, columns: number, chart: (width: number) => readonly string[]): string {
  const [head = '', ...lines] = text.split('\n');
  const tableWidth = Math.max(...[head, ...lines].map((line) => stringWidth(line))) + GAP;
  const drawings = chart(Math.min(MAX_CHART_WIDTH, Math.max(MIN_CHART_WIDTH, columns - tableWidth)));
  const drawn = lines.map((line, index) => {
    const drawing = drawings[index] ?? '';
    return drawing.trim() === '' ? line : line + ' '.repeat(tableWidth - stringWidth(line)) + drawing.trimEnd();
  });
  return [head, ...drawn].join('\n');
}

/** The values of a figure for all intervals, with 0 for intervals without requests. */
function fillIntervals(
  { from, to, every }: Pick<UsageHistoryResponse, 'from' | 'to' | 'every'>,
  points: SeriesResponse['points'],
  figure: DrawnFigure,
): number[] {
  const start = Date.parse(from);
  const values = Array<number>(Math.round((Date.parse(to) - start) / INTERVAL_LENGTHS[every])).fill(0);
  for (const point of points) values[(Date.parse(point.at) - start) / INTERVAL_LENGTHS[every]] = point[figure];
  return values;
}

function formatCells({
  requests,
  units,
  refused,
  errors,
  clientErrors,
  p50Ms,
  p95Ms,
  p99Ms,
}: FiguresResponse): string[] {
  return [...[requests, units, refused, errors, clientErrors].map(String), ...[p50Ms, p95Ms, p99Ms].map(formatMs)];
}

/** Formats milliseconds with three digits, because percentiles are computed from buckets and are not more precise. */
function formatMs(ms: number | null): string {
  return ms === null ? '' : String(Number(ms.toPrecision(3)));
}

const LEVELS = '▁▂▃▄▅▆▇█';
/** Characters that are filled from the left, by eighths. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const FULL = '█';

/** Draws a bar of at most `width` characters, in steps of an eighth. Any value above 0 is visible. */
export function drawBar(value: number, max: number, width: number): string {
  if (value <= 0) return '';
  const eighths = Math.max(1, Math.round((value / max) * width * 8));
  return FULL.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/**
 * Draws one character per value. If there are more values than characters, neighboring values are added up. The highest
 * value fills its character, and zero leaves it empty.
 */
export function drawSparkline(values: readonly number[], width: number): string {
  const cells = sumGroups(values, Math.ceil(values.length / width));
  const max = Math.max(...cells);
  return cells.map((value) => (value <= 0 ? ' ' : LEVELS[Math.ceil((value / max) * LEVELS.length) - 1])).join('');
}

function sumGroups(values: readonly number[], size: number): number[] {
  const groups: number[] = [];
  for (let from = 0; from < values.length; from += size) {
    groups.push(values.slice(from, from + size).reduce((sum, value) => sum + value, 0));
  }
  return groups;
}
