import { type MonthBounds, findMonth } from '../../../base/time.ts';
import { type Reader, sumSql, Values, loadNumbers } from './reader.ts';
import type { Excess, PreviewQuery, PreviewReport, Calls, CallsQuery } from '../store/history-store.ts';
import { type Retention, findOldestKept } from '../store/retention.ts';
import { findStart } from '../store/calendar.ts';
import { readCountedSince } from './counted-since.ts';
import { createOwnerConditions } from './selection.ts';
import { ALL_NAMES } from '../../../storage/history-tables.ts';

/**
 * Maximum number of keys in a report. Without a maximum, a report might list all keys, and reports are copied between
 * threads.
 */
const MAX_KEYS = 1000;

/** Units required, whether charged or refused. */
const UNITS = 'u.units + u.refused_units';
const NO_EXCESS: Excess = { count: 0, peak: 0 };

type KeyPreview = PreviewReport['keys'][number];

/**
 * Finds the minutes, days and months in which quotas required more than the new limits. Examines the given keys. If
 * there are none, examines the active keys of the plan that have no limits of their own. The usage of a quota includes
 * all its keys, whatever their state, for example keys that were replaced.
 */
export async function readPreview(reader: Reader, query: PreviewQuery, keep: Retention): Promise<PreviewReport> {
  const { limits, now } = query;
  const countedSince = (await readCountedSince(reader)) ?? now;
  const findExaminedStart = (every: 'minute' | 'day') =>
    Math.max(findOldestKept(keep, every, now), findStart(every, countedSince));
  const minutesFrom = findExaminedStart('minute');
  const daysFrom = findExaminedStart('day');
  const months = limits.month === undefined ? [] : listMonths(daysFrom, now);
  const minuteExcess = await readAbove(reader, query, selectMinutesAbove(reader, limits.minute, minutesFrom));
  const dayExcess = await readAbove(reader, query, selectDaysAbove(reader, UNITS, limits.day, daysFrom));
  const monthExcess =
    limits.month === undefined
      ? new Map<string, Excess>()
      : await readAbove(reader, query, selectMonthsAbove(reader, limits.month, months));
  const usedUp = await readAbove(
    reader,
    query,
    selectDaysAbove(reader, 'u.units', limits.day - 1, findStart('day', now)),
  );
  const above = new Map<string, KeyPreview>();
  let [keysExamined, keysAbove, keysUsedUp] = [0, 0, 0];
  await visitExaminedKeys(reader, query, (quotaId, key) => {
    keysExamined += 1;
    if (usedUp.has(quotaId)) keysUsedUp += 1;
    const excess = [minuteExcess, dayExcess, monthExcess].map((window) => window.get(quotaId));
    if (excess.every((one) => one === undefined)) return;
    keysAbove += 1;
    const [inMinutes = NO_EXCESS, inDays = NO_EXCESS, inMonths = NO_EXCESS] = excess;
    const sharing = (above.get(quotaId)?.sharing ?? 0) + 1;
    above.set(quotaId, { ...key, sharing, minutes: inMinutes, days: inDays, months: inMonths });
  });
  const keys = [...above.values()].toSorted(compareKeys).slice(0, MAX_KEYS);
  const monthsFrom = months[0] === undefined ? null : Math.max(months[0].start, daysFrom);
  return { minutesFrom, daysFrom, monthsFrom, keysExamined, keysAbove, keysUsedUp, keys };
}

/** Lists the calendar months that the history covers completely, and the current month. The list is never empty. */
function listMonths(from: number, now: number): MonthBounds[] {
  const months = [findMonth(now)];
  for (let first = months[0]; first !== undefined && first.start > from; first = months[0]) {
    const previous = findMonth(first.start - 1);
    if (previous.start < from) break;
    months.unshift(previous);
  }
  return months;
}

/** A month above the limit is worse than a day, and a day than a minute. */
function compareKeys(a: KeyPreview, b: KeyPreview): number {
  return (
    b.months.count - a.months.count ||
    b.days.count - a.days.count ||
    b.minutes.count - a.minutes.count ||
    (a.key < b.key ? -1 : 1)
  );
}

/**
 * Returns a statement that selects the quotas above a limit. SQLite nests its loops in the order of the tables in the
 * statement. The best order depends on how counts are stored: minutes by time, days by key.
 */
type WriteStatement = (values: Values) => string;

function selectMinutesAbove(reader: Reader, limit: number, from: number): WriteStatement {
  return (values) => `
    SELECT m.quota_id, ${sumSql(UNITS)} AS units FROM usage_minutes u CROSS JOIN members m
    WHERE u.at >= ${values.add(from)} AND m.no = u.key_no AND ${reader.inTimeCondition}
    GROUP BY u.at, m.quota_id HAVING sum(${UNITS}) > ${values.add(limit)}`;
}

function selectDaysAbove(reader: Reader, units: string, limit: number, from: number): WriteStatement {
  return (values) => `
    SELECT m.quota_id, ${sumSql(units)} AS units FROM members m CROSS JOIN usage_days u
    WHERE u.key_no = m.no AND u.operation_no = ${ALL_NAMES} AND u.outcome_no = ${ALL_NAMES} AND u.at >= ${values.add(from)}
      AND ${reader.inTimeCondition}
    GROUP BY u.at, m.quota_id HAVING sum(${units}) > ${values.add(limit)}`;
}

function selectMonthsAbove(reader: Reader, limit: number, months: readonly MonthBounds[]): WriteStatement {
  return (values) => {
    const bounds = months.map(({ start, end }) => {
      return `(CAST(${values.add(start)} AS BIGINT), CAST(${values.add(end)} AS BIGINT))`;
    });
    return `
    SELECT m.quota_id, ${sumSql(UNITS)} AS units FROM members m CROSS JOIN usage_days u
    JOIN (WITH months (start_at, end_at) AS (VALUES ${bounds.join(', ')}) SELECT * FROM months) months
      ON u.at >= months.start_at AND u.at < months.end_at
    WHERE u.key_no = m.no AND u.operation_no = ${ALL_NAMES} AND u.outcome_no = ${ALL_NAMES} AND ${reader.inTimeCondition}
    GROUP BY months.start_at, m.quota_id HAVING sum(${UNITS}) > ${values.add(limit)}`;
  };
}

/**
 * Returns a condition for the given keys. If there are none, the condition is for all keys with the limits of the plan.
 * Revoked keys are left out.
 */
function createKeyCondition({ plan, keys }: PreviewQuery, values: Values): string {
  const keyCondition =
    keys === undefined
      ? `keys.plan = ${values.add(plan)} AND keys.minute_limit IS NULL`
      : `keys.id IN (${values.addAll(keys)})`;
  return `${keyCondition} AND keys.status <> 'revoked'`;
}

/** Visits the examined keys, oldest first. */
async function visitExaminedKeys(
  reader: Reader,
  query: PreviewQuery,
  visit: (quotaId: string, key: Pick<KeyPreview, 'key' | 'name' | 'owner'>) => void,
): Promise<void> {
  const values = new Values();
  const text = `SELECT quota_id, id, name, owner FROM keys
    WHERE ${createKeyCondition(query, values)} AND ${reader.inTimeCondition} ORDER BY sequence`;
  await reader.forEachRow(text, values.list, ({ quota_id: quotaId, id, name, owner }) => {
    visit(String(quotaId), { key: String(id), name: String(name), owner: String(owner) });
  });
}

/** Reads how many times each quota went above a limit, and by how much. The result is by the id of the quota. */
async function readAbove(
  reader: Reader,
  query: PreviewQuery,
  writeStatement: WriteStatement,
): Promise<Map<string, Excess>> {
  const values = new Values();
  const above = new Map<string, Excess>();
  const text = `
    WITH members AS MATERIALIZED (
      SELECT n.no, k.quota_id FROM keys k JOIN history_names n ON n.name = k.id
      WHERE k.quota_id IN (SELECT keys.quota_id FROM keys WHERE ${createKeyCondition(query, values)})
    )
    SELECT quota_id, count(*) AS count, max(units) AS peak FROM (${writeStatement(values)}) excess GROUP BY quota_id`;
  await reader.forEachRow(text, values.list, ({ quota_id: quotaId, count, peak }) => {
    above.set(String(quotaId), { count: Number(count), peak: Number(peak) });
  });
  return above;
}

const MAX_CALLING_KEYS = 5;

export async function readCalls(reader: Reader, { operations, owner, chainOf }: CallsQuery): Promise<Calls[]> {
  const names = new Map([...(await loadNumbers(reader, operations))].map(([name, no]) => [no, name]));
  if (names.size === 0) return [];
  const values = new Values();
  const conditions = [
    `a.operation_no IN (${values.addAll([...names.keys()])})`,
    ...createOwnerConditions('a.key_no', { owner, chainOf }, values),
  ];
  const where = conditions.join(' AND ');
  const rows = await reader.rows(
    `SELECT a.operation_no, min(a.first_at) AS first_at, max(a.last_at) AS last_at, ${sumSql('a.requests')} AS requests
     FROM audience a WHERE ${where} GROUP BY a.operation_no`,
    values.list,
  );
  const keys = await reader.rows(
    `SELECT operation_no, name, last_at, requests FROM (
       SELECT a.operation_no, n.name, a.last_at, a.requests,
         row_number() OVER (PARTITION BY a.operation_no ORDER BY a.last_at DESC, a.key_no) AS place
       FROM audience a JOIN history_names n ON n.no = a.key_no WHERE ${where}
     ) ranked WHERE place <= ${MAX_CALLING_KEYS} ORDER BY operation_no, place`,
    values.list,
  );
  const keysByOperation = Map.groupBy(keys, (row) => Number(row['operation_no']));
  return rows.map((row) => ({
    operation: names.get(Number(row['operation_no'])) ?? '',
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    requests: Number(row['requests']),
    keys: (keysByOperation.get(Number(row['operation_no'])) ?? []).map((key) => {
      return { id: String(key['name']), lastAt: Number(key['last_at']), requests: Number(key['requests']) };
    }),
  }));
}
