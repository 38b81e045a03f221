import { formatCsvLine } from '../../base/portable/csv-line.ts';
import { toDateTime } from '../../base/time.ts';
import { type CallerJson, toFiguresJson } from './report-json.ts';
import type { Group, UsageFigures, UsageSeries } from './store/history-store.ts';

const FIGURE_COLUMNS = ['requests', 'units', 'refused', 'errors', 'clientErrors', 'p50Ms', 'p95Ms', 'p99Ms'];

/** @param hasNames whether to add a column with the names of the groups */
export function formatUsageCsvHead(hasNames: boolean): string {
  return formatCsvLine(['group', ...(hasNames ? ['name'] : []), 'at', ...FIGURE_COLUMNS]);
}

/**
 * One line for each point. With `totalsOnly`, one line for each series, with the totals and no time.
 *
 * @param names the names of the groups; null: there is no column for names
 */
export function formatUsageCsv(
  series: readonly UsageSeries[],
  totalsOnly: boolean,
  names: GroupNames | null = null,
): string {
  const lines = series.flatMap(({ group, totals, points }) => {
    const groupCells = names === null ? [group] : [group, names.get(group) ?? null];
    return totalsOnly
      ? [formatCsvLine([...groupCells, null, ...toFigureCells(totals)])]
      : points.map(({ at, ...figures }) => formatCsvLine([...groupCells, toDateTime(at), ...toFigureCells(figures)]));
  });
  return lines.join('');
}

export type GroupNames = ReadonlyMap<Group, string>;

function toFigureCells(figures: UsageFigures): (number | null)[] {
  const { requests, units, refused, errors, clientErrors, p50Ms, p95Ms, p99Ms } = toFiguresJson(figures);
  return [requests, units, refused, errors, clientErrors, p50Ms, p95Ms, p99Ms];
}

export function formatCallersCsv(callers: readonly CallerJson[]): string {
  const rows = callers.map(({ key, owner, email, plan, firstAt, lastAt, requests }) => {
    return [key, owner, email, plan, firstAt, lastAt, requests];
  });
  return [['key', 'owner', 'email', 'plan', 'firstAt', 'lastAt', 'requests'], ...rows].map(formatCsvLine).join('');
}
