import { DAY_MS } from '../../../base/time.ts';
import { ALL, usageTables } from '../../../storage/history-tables.ts';
import { dayColumnOf, monthOf, startOf } from '../tables/times.ts';
import { type Group, type Reader, sum, Values } from './reader.ts';
import { groupOf, isDetailed, ownerConditions, type Selection, sourceOf } from './selection.ts';

/** The groups with the most requests, at most `limit` of them, those with the most first. */
export async function rank(reader: Reader, selection: Selection, limit: number): Promise<Group[]> {
  const values = new Values();
  const counts = isDaily(selection) ? countsByDay(reader, selection, values) : countsOf(reader, selection, values);
  const rows = await reader.rows(
    `SELECT "group", ${sum('requests')} AS requests FROM (${counts}) counts
     GROUP BY "group" ORDER BY requests DESC, "group" LIMIT ${values.add(limit)}`,
    values.list,
  );
  return rows.map(({ group }) => group as Group);
}

/** Whether `usage_months` has its counts. */
function isDaily(selection: Selection): boolean {
  const { by, every, keyNo } = selection;
  const isOfKeys = by === 'key' || by === 'owner' || by === 'plan';
  return isOfKeys && keyNo === undefined && every !== 'minute' && !isDetailed(selection);
}

function countsOf(reader: Reader, selection: Selection, values: Values): string {
  const { group, from, where } = sourceOf(selection, values);
  return `SELECT ${group} AS "group", u.requests FROM ${from} WHERE ${where} AND ${reader.inTime}`;
}

/** Adds up whole days from `usage_months`: one row for a month of a key, where the other tables may have thousands. */
function countsByDay(reader: Reader, selection: Selection, values: Values): string {
  const counts = piecesOf(selection.from, selection.to).map((piece) => {
    const { columns, join, where } = piece.unit === 'hours' ? hoursOf(piece, values) : daysOf(piece, values);
    const conditions = [...where, ...ownerConditions('m.key_no', selection, values), reader.inTime];
    return `SELECT m.key_no, ${columns} AS requests FROM usage_months m ${join} WHERE ${conditions.join(' AND ')}`;
  });
  const all = counts.join(' UNION ALL ');
  if (selection.by === 'key') return `SELECT u.key_no AS "group", u.requests FROM (${all}) u`;
  return `SELECT ${groupOf(selection.by)} AS "group", u.requests
    FROM (SELECT key_no, ${sum('requests')} AS requests FROM (${all}) counted GROUP BY key_no) u
    JOIN history_names n ON n.no = u.key_no LEFT JOIN keys k ON k.id = n.name`;
}

/** Whole days of one month, or hours of one day. */
interface Piece {
  readonly unit: 'days' | 'hours';
  readonly from: number;
  readonly to: number;
}

function piecesOf(from: number, to: number): Piece[] {
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const lastDay = startOf('day', to);
  if (firstDay > lastDay) return [{ unit: 'hours', from, to }];
  const pieces: Piece[] = [];
  if (from < firstDay) pieces.push({ unit: 'hours', from, to: firstDay });
  for (let at = firstDay; at < lastDay; at = nextMonth(at)) {
    pieces.push({ unit: 'days', from: at, to: Math.min(nextMonth(at), lastDay) });
  }
  if (lastDay < to) pieces.push({ unit: 'hours', from: lastDay, to });
  return pieces;
}

function nextMonth(at: number): number {
  return monthOf(monthOf(at) + 32 * DAY_MS);
}

function daysOf({ from, to }: Piece, values: Values) {
  const columns: string[] = [];
  for (let at = from; at < to; at += DAY_MS) columns.push(`m.${dayColumnOf(at)}`);
  return { columns: columns.join(' + '), join: '', where: [`m.month = ${values.add(monthOf(from))}`] };
}

/** The hours of those keys that had requests on that day. */
function hoursOf({ from, to }: Piece, values: Values) {
  const where = [
    `m.month = ${values.add(monthOf(from))}`,
    `m.${dayColumnOf(from)} > 0`,
    'u.key_no = m.key_no',
    `u.operation_no = ${ALL}`,
    `u.outcome_no = ${ALL}`,
    `u.at >= ${values.add(from)}`,
    `u.at < ${values.add(to)}`,
  ];
  return { columns: 'u.requests', join: `CROSS JOIN ${usageTables.hour} u`, where };
}
