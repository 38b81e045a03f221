import { type MonthBounds, monthOf } from '../../../base/time.ts';
import { type Reader, sum, Values, numbersOf } from './reader.ts';
import type { Excess, PreviewQuery, PreviewReport, Calls, CallsQuery } from '../store/history-store.ts';
import { type Retention, oldestKept } from '../store/retention.ts';
import { startOf } from '../store/calendar.ts';
import { readCountedSince } from './counted-since.ts';
import { ownerConditions } from './selection.ts';
import { ALL } from '../../../storage/history-tables.ts';

/** Keys named in a report. There may be as many as there are keys, and the report crosses threads. */
const MAX_KEYS = 1000;

/** Units required, whether charged or refused. */
const UNITS = 'u.units + u.refused_units';
const NONE: Excess = { count: 0, peak: 0 };

type KeyPreview = PreviewReport['keys'][number];

/**
 * For active keys of the plan that have no limits of their own, or else the given keys: the minutes, days and months in
 * which they required more than the new limits.
 */
export async function readPreview(reader: Reader, query: PreviewQuery, keep: Retention): Promise<PreviewReport> {
  const { limits, now } = query;
  const countedSince = (await readCountedSince(reader)) ?? now;
  const examinedFrom = (every: 'minute' | 'day') =>
    Math.max(oldestKept(keep, every, now), startOf(every, countedSince));
  const minutesFrom = examinedFrom('minute');
  const daysFrom = examinedFrom('day');
  const months = limits.month === undefined ? [] : monthsBetween(daysFrom, now);
  const above = new Map<string, KeyPreview>();
  const read = (window: 'minutes' | 'days' | 'months', write: WriteStatement) =>
    eachAbove(reader, query, write, ({ key, name, owner }, excess) => {
      above.set(key, {
        key,
        name,
        owner,
        minutes: NONE,
        days: NONE,
        months: NONE,
        ...above.get(key),
        [window]: excess,
      });
    });
  await read('minutes', minutesAbove(reader, limits.minute, minutesFrom));
  await read('days', daysAbove(reader, limits.day, daysFrom));
  if (limits.month !== undefined) await read('months', monthsAbove(reader, limits.month, months));
  const keys = [...above.values()].toSorted(compareKeys);
  const monthsFrom = months[0] === undefined ? null : Math.max(months[0].start, daysFrom);
  const keysExamined = await countExamined(reader, query);
  return { minutesFrom, daysFrom, monthsFrom, keysExamined, keysAbove: keys.length, keys: keys.slice(0, MAX_KEYS) };
}

/** The calendar months with all their days in the history, and the current one. Never empty. */
function monthsBetween(from: number, now: number): MonthBounds[] {
  const months = [monthOf(now)];
  for (let first = months[0]; first !== undefined && first.start > from; first = months[0]) {
    const before = monthOf(first.start - 1);
    if (before.start < from) break;
    months.unshift(before);
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

type WriteStatement = (keys: string, values: Values) => string;

function minutesAbove(reader: Reader, limit: number, from: number): WriteStatement {
  return (keys, values) => `
    SELECT u.key_no, ${sum(UNITS)} AS units FROM usage_minutes u
    WHERE u.at >= ${values.add(from)} AND u.key_no IN (${keys}) AND ${reader.inTime}
    GROUP BY u.at, u.key_no HAVING sum(${UNITS}) > ${values.add(limit)}`;
}

function daysAbove(reader: Reader, limit: number, from: number): WriteStatement {
  return (keys, values) => `
    SELECT u.key_no, ${UNITS} AS units FROM usage_days u
    WHERE u.key_no IN (${keys}) AND u.operation_no = ${ALL} AND u.outcome_no = ${ALL} AND u.at >= ${values.add(from)}
      AND ${UNITS} > ${values.add(limit)} AND ${reader.inTime}`;
}

function monthsAbove(reader: Reader, limit: number, months: readonly MonthBounds[]): WriteStatement {
  return (keys, values) => {
    const bounds = months.map(({ start, end }) => {
      return `(CAST(${values.add(start)} AS BIGINT), CAST(${values.add(end)} AS BIGINT))`;
    });
    return `
    SELECT u.key_no, ${sum(UNITS)} AS units FROM usage_days u
    JOIN (WITH months (start_at, end_at) AS (VALUES ${bounds.join(', ')}) SELECT * FROM months) m
      ON u.at >= m.start_at AND u.at < m.end_at
    WHERE u.key_no IN (${keys}) AND u.operation_no = ${ALL} AND u.outcome_no = ${ALL} AND ${reader.inTime}
    GROUP BY m.start_at, u.key_no HAVING sum(${UNITS}) > ${values.add(limit)}`;
  };
}

/** The condition for the active keys of a plan that have its limits, or for the given ones. */
function examinedKeys({ plan, keys }: PreviewQuery, values: Values): string {
  const chosen =
    keys === undefined
      ? `keys.plan = ${values.add(plan)} AND keys.minute_limit IS NULL`
      : `keys.id IN (${values.addAll(keys)})`;
  return `${chosen} AND keys.status <> 'revoked'`;
}

async function countExamined(reader: Reader, query: PreviewQuery): Promise<number> {
  const values = new Values();
  const [row] = await reader.rows(
    `SELECT count(*) AS count FROM keys WHERE ${examinedKeys(query, values)}`,
    values.list,
  );
  return Number(row?.['count'] ?? 0);
}

async function eachAbove(
  reader: Reader,
  query: PreviewQuery,
  write: WriteStatement,
  visit: (key: Pick<KeyPreview, 'key' | 'name' | 'owner'>, excess: Excess) => void,
): Promise<void> {
  const values = new Values();
  const keys = `SELECT history_names.no FROM keys JOIN history_names ON history_names.name = keys.id
    WHERE ${examinedKeys(query, values)}`;
  const text = `
    SELECT k.id, k.name, k.owner, count(*) AS count, max(excess.units) AS peak FROM (${write(keys, values)}) excess
    JOIN history_names n ON n.no = excess.key_no JOIN keys k ON k.id = n.name GROUP BY k.id, k.name, k.owner`;
  await reader.each(text, values.list, ({ id, name, owner, count, peak }) => {
    visit({ key: String(id), name: String(name), owner: String(owner) }, { count: Number(count), peak: Number(peak) });
  });
}

const MAX_CALLING_KEYS = 5;

export async function readCalls(reader: Reader, { operations, owner, chainOf }: CallsQuery): Promise<Calls[]> {
  const names = new Map([...(await numbersOf(reader, operations))].map(([name, no]) => [no, name]));
  if (names.size === 0) return [];
  const values = new Values();
  const conditions = [
    `a.operation_no IN (${values.addAll([...names.keys()])})`,
    ...ownerConditions('a.key_no', { owner, chainOf }, values),
  ];
  const where = conditions.join(' AND ');
  const rows = await reader.rows(
    `SELECT a.operation_no, min(a.first_at) AS first_at, max(a.last_at) AS last_at, ${sum('a.requests')} AS requests
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
  const keysOf = Map.groupBy(keys, (row) => Number(row['operation_no']));
  return rows.map((row) => ({
    operation: names.get(Number(row['operation_no'])) ?? '',
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    requests: Number(row['requests']),
    keys: (keysOf.get(Number(row['operation_no'])) ?? []).map((key) => {
      return { id: String(key['name']), lastAt: Number(key['last_at']), requests: Number(key['requests']) };
    }),
  }));
}
