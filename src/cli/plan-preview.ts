import { pathTo, type AdminApi } from './admin/api.ts';
import { ApiError } from './admin/api-error.ts';
import type { PreviewAnswer } from './admin/answers.ts';
import type { Excess } from '../control-plane/history/reports.ts';
import { table } from './output/table.ts';
import { count, day, time } from './output/format.ts';
import type { PlanChange, PlanDiff } from './plan-diff.ts';

/** More keys would push the question off the screen. */
const MAX_SHOWN = 10;
const COLUMNS = [{ title: '  KEY', whole: true }, { title: 'OWNER' }, { title: 'MINUTES' }, { title: 'DAYS' }];

/**
 * What the history says about the plans that become stricter, for people; empty if none does.
 *
 * @param columns of the terminal; null if there is none
 */
export async function previewText(api: AdminApi, { changed }: PlanDiff, columns: number | null): Promise<string> {
  let text = '';
  for (const change of changed.filter(isStricter)) text += await previewOf(api, change, columns);
  return text;
}

function isStricter({ plan, fields }: PlanChange): boolean {
  if (plan.limits === null || plan.mode === 'shadow') return false;
  return fields.some(({ field, from, to }) => {
    return field === 'mode' || (field.startsWith('limits') && !(Number(from ?? Infinity) < Number(to)));
  });
}

async function previewOf(api: AdminApi, change: PlanChange, columns: number | null): Promise<string> {
  const { id, limits } = change.plan;
  try {
    const { body } = await api.call<PreviewAnswer>('POST', pathTo('plans', id, 'preview'), { json: { limits } });
    return inWords(body, columns);
  } catch (error) {
    // The change itself does not depend on it.
    if (!(error instanceof ApiError)) throw error;
    return `  ${id}: whom this would have refused cannot be said: ${error.message}\n`;
  }
}

function inWords(
  { plan, limits, minutesFrom, daysFrom, keysAbove, keys }: PreviewAnswer,
  columns: number | null,
): string {
  const since = `in the minutes since ${time(minutesFrom)} and the days since ${day(daysFrom)} UTC`;
  if (keysAbove === 0) return `  ${plan}: no key went above the new limits ${since}\n`;
  const rows = keys.slice(0, MAX_SHOWN).map(({ key, owner, minutes, days }) => {
    return [`  ${key}`, owner, excess(minutes, limits.minute), excess(days, limits.day)];
  });
  const more = keysAbove > MAX_SHOWN ? `  and ${count(keysAbove - MAX_SHOWN, 'more key')}\n` : '';
  return `  ${plan}: ${count(keysAbove, 'key')} went above the new limits ${since}:\n${table(COLUMNS, rows, columns)}${more}`;
}

function excess({ count: times, peak }: Excess, limit: number): string {
  return times === 0 ? 'none' : `${times}, by ${peak - limit} at most`;
}
