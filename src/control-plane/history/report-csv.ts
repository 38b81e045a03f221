import { csvLine } from '../../base/portable/csv-line.ts';
import { toDateTime } from '../../base/time.ts';
import { type CallerJson, figuresJson } from './report-json.ts';
import type { Group, UsageFigures, UsageSeries } from './store/history-store.ts';

const FIGURES = ['requests', 'units', 'refused', 'errors', 'clientErrors', 'p50Ms', 'p95Ms', 'p99Ms'];

/** @param hasNames whether to add a column with the names of the groups */
export function usageCsvHead(hasNames: boolean): string {
  return csvLine(['group', ...(hasNames ? ['name'] : []), 'at', ...FIGURES]);
}

/**
 * One line for each point. With `totalsOnly`, one line for each series, with the totals and no time.
 *
 * @param names the names of the groups; null: there is no column for names
 */
export function usageCsv(series: readonly UsageSeries[], totalsOnly: boolean, names: GroupNames | null = null): string {
  const lines = series.flatMap(({ group, totals, points }) => {
    const first = names === null ? [group] : [group, names.get(group) ?? null];
    return totalsOnly
      ? [csvLine([...first, null, ...figureCells(totals)])]
      : points.map(({ at, ...figures }) => csvLine([...first, toDateTime(at), ...figureCells(figures)]));
  });
  return lines.join('');
}

export type GroupNames = ReadonlyMap<Group, string>;

function figureCells(figures: UsageFigures): (number | null)[] {
  const { requests, units, refused, errors, clientErrors, p50Ms, p95Ms, p99Ms } = figuresJson(figures);
  return [requests, units, refused, errors, clientErrors, p50Ms, p95Ms, p99Ms];
}

export function callersCsv(callers: readonly CallerJson[]): string {
  const rows = callers.map(({ key, owner, email, plan, firstAt, lastAt, requests }) => {
    return [key, owner, email, plan, firstAt, lastAt, requests];
  });
  return [['key', 'owner', 'email', 'plan', 'firstAt', 'lastAt', 'requests'], ...rows].map(csvLine).join('');
}
