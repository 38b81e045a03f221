import { DAY_MS } from '../../../base/time.ts';
import { createMinutesTable, type CountSource, Values, type Reader, sumSql } from './reader.ts';
import type { Group, GroupList, Grouping, StoredResolution } from '../store/history-store.ts';
import { findDayColumn, INTERVAL_LENGTHS, startOfMonth, findStart } from '../store/calendar.ts';
import { ALL_NAMES, usageTables } from '../../../storage/history-tables.ts';

/** Selects the counts to add up. Keys, operations and outcomes are given by their numbers in `history_names`. */
export interface Selection {
  /** Start of an interval, in ms since the Unix epoch. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly every: StoredResolution;
  readonly by: Grouping | undefined;
  readonly keyNo: number | undefined;
  /** The id of a key. Selects all keys of its rotation chain. */
  readonly chainOf: string | undefined;
  readonly owner: string | undefined;
  readonly plan: string | undefined;
  readonly operationNo: number | undefined;
  readonly outcomeNo: number | undefined;
}

const GROUPS: Readonly<Record<Grouping, string>> = {
  key: 'u.key_no',
  owner: 'k.owner',
  plan: 'k.plan',
  operation: 'u.operation_no',
  outcome: 'u.outcome_no',
};

function chooseGroupColumn(by: Grouping | undefined): string {
  return by === undefined ? 'NULL' : GROUPS[by];
}

/** Whether a selection distinguishes keys. If not, the rows for all keys together are enough. */
function isByKey({ by, keyNo, chainOf, owner, plan }: Selection): boolean {
  const isGrouped = by === 'key' || by === 'owner' || by === 'plan';
  return isGrouped || [keyNo, chainOf, owner, plan].some((filter) => filter !== undefined);
}

/**
 * Whether a selection needs rows of single operations or outcomes. If not, hours and days have one row for all of them
 * together.
 */
function isDetailed({ every, by, operationNo, outcomeNo }: Selection): boolean {
  const isGrouped = by === 'operation' || by === 'outcome';
  return every === 'minute' || isGrouped || operationNo !== undefined || outcomeNo !== undefined;
}

/**
 * Creates the parts of a statement for the rows of a selection. With `groups`, selects only the rows of these groups.
 */
export function createSource(selection: Selection, values: Values, groups?: readonly Group[]): CountSource {
  const { by, every } = selection;
  const group = chooseGroupColumn(by);
  const createTimeCondition =
    every === 'minute' && hasFewKeys(selection, groups) ? createMinuteLookup : createTimeRange;
  const { tables, within } = createTimeCondition(selection, values);
  const conditions = [...createKeyConditions(selection, values), ...createDetailConditions(selection, values), within];
  if (groups !== undefined) conditions.push(createGroupCondition(group, groups, values));
  const isJoined = joinsKeys(selection);
  const hasKnownKeys = hasOnlyKnownKeys(selection, groups);
  if (isJoined && hasKnownKeys && every !== 'minute') conditions.push('k.id = n.name');
  return {
    group,
    from: isJoined ? joinKeys(every, hasKnownKeys) : tables,
    where: conditions.join(' AND '),
    isSummed: isSummed(selection),
    keysPerSlice: isJoined && every !== 'minute' ? computeKeysPerSlice(selection) : null,
  };
}

/**
 * Whether each row is joined with the record of its key. This is necessary if the number of selected keys is not
 * limited.
 */
function joinsKeys({ by, plan, keyNo }: Selection): boolean {
  return by === 'owner' || by === 'plan' || (plan !== undefined && by !== 'key' && keyNo === undefined);
}

/** Maximum number of rows that are added up together. They must fit into the memory that SQLite uses for sorting. */
const ROWS_PER_SLICE = 20_000;

/** Number of keys per slice, assuming that a key has one row for each interval. */
function computeKeysPerSlice({ every, from, to }: Selection): number {
  return Math.max(
    1,
    Math.floor((ROWS_PER_SLICE * INTERVAL_LENGTHS[every]) / Math.max(INTERVAL_LENGTHS[every], to - from)),
  );
}

/** Whether a selection has few keys, with known numbers. The number for all keys together counts as one key. */
function hasFewKeys(selection: Selection, groups?: readonly Group[]): boolean {
  const { by, keyNo } = selection;
  if (joinsKeys(selection)) return false;
  return keyNo !== undefined || !isByKey(selection) || (by === 'key' && groups !== undefined);
}

function createTimeRange({ every, from, to }: Selection, values: Values) {
  const within = `u.at >= ${values.add(from)} AND u.at < ${values.add(to)}`;
  return { tables: `${usageTables[every]} u`, within };
}

function createMinuteLookup({ every, from, to }: Selection, values: Values) {
  const tables = `${createMinutesTable(from, to, values)} CROSS JOIN ${usageTables[every]} u`;
  return { tables, within: 'u.at = minutes.start' };
}

function isSummed(selection: Selection): boolean {
  const { by, keyNo } = selection;
  const isOneSeries = by === undefined && (keyNo !== undefined || !isByKey(selection));
  return !isDetailed(selection) && (by === 'key' || isOneSeries);
}

/**
 * Joins counts with the records of keys. SQLite nests its loops in the order of the tables, and each loop must look up
 * the next table by its primary key. The order differs, because minutes are stored by time, but hours and days by key.
 */
function joinKeys(every: StoredResolution, hasKnownKeys: boolean): string {
  const table = usageTables[every];
  if (every === 'minute') {
    return `${table} u JOIN history_names n ON n.no = u.key_no LEFT JOIN keys k ON k.id = n.name`;
  }
  // Use CROSS JOIN to fix the order of the tables. Other conditions exclude rows without a key, so SQLite would turn a
  // LEFT JOIN into an inner join. It may then begin with all keys of the plan, again for each slice of keys. With many
  // keys, that takes minutes.
  if (hasKnownKeys) return `history_names n CROSS JOIN keys k CROSS JOIN ${table} u`;
  return `history_names n LEFT JOIN keys k ON k.id = n.name CROSS JOIN ${table} u`;
}

/** Whether a selection leaves out requests without a key, and requests of keys that no longer exist. */
function hasOnlyKnownKeys({ by, chainOf, owner, plan }: Selection, groups?: readonly Group[]): boolean {
  const isOfNamedGroups = (by === 'owner' || by === 'plan') && groups?.includes(null) === false;
  return isOfNamedGroups || [chainOf, owner, plan].some((filter) => filter !== undefined);
}

function createKeyConditions(selection: Selection, values: Values): string[] {
  const { keyNo, every } = selection;
  if (!isByKey(selection)) return [`u.key_no = ${ALL_NAMES}`];
  const conditions = [keyNo === undefined ? `u.key_no <> ${ALL_NAMES}` : `u.key_no = ${values.add(keyNo)}`];
  if (!joinsKeys(selection)) return [...conditions, ...createOwnerConditions('u.key_no', selection, values)];
  if (every !== 'minute') conditions.push('u.key_no = n.no');
  return [...conditions, ...createRecordConditions('k', selection, values)];
}

type RecordFilter = Partial<Pick<Selection, 'chainOf' | 'owner' | 'plan'>>;

/** Returns conditions for the keys with the rotation chain, the owner and the plan of the selection. */
function createRecordConditions(keys: string, { chainOf, owner, plan }: RecordFilter, values: Values): string[] {
  const conditions: string[] = [];
  if (chainOf !== undefined)
    conditions.push(`${keys}.chain = (SELECT own.chain FROM keys own WHERE own.id = ${values.add(chainOf)})`);
  if (owner !== undefined) conditions.push(`${keys}.owner = ${values.add(owner)}`);
  if (plan !== undefined) conditions.push(`${keys}.plan = ${values.add(plan)}`);
  return conditions;
}

/** Like `createRecordConditions`, but for a statement that does not join the records of keys. */
export function createOwnerConditions(keyNo: string, selection: RecordFilter, values: Values): string[] {
  const conditions = createRecordConditions('keys', selection, values);
  if (conditions.length === 0) return [];
  const keys = 'keys JOIN history_names ON history_names.name = keys.id';
  return [`${keyNo} IN (SELECT history_names.no FROM ${keys} WHERE ${conditions.join(' AND ')})`];
}

function createDetailConditions(selection: Selection, values: Values): string[] {
  const { every, operationNo, outcomeNo } = selection;
  if (!isDetailed(selection)) return [`u.operation_no = ${ALL_NAMES}`, `u.outcome_no = ${ALL_NAMES}`];
  const conditions: string[] = [];
  if (operationNo !== undefined) conditions.push(`u.operation_no = ${values.add(operationNo)}`);
  else if (every !== 'minute') conditions.push(`u.operation_no <> ${ALL_NAMES}`);
  if (outcomeNo !== undefined) conditions.push(`u.outcome_no = ${values.add(outcomeNo)}`);
  return conditions;
}

function createGroupCondition(group: string, groups: readonly Group[], values: Values): string {
  const namedGroups = groups.filter((one) => one !== null);
  const alternatives = namedGroups.length === 0 ? [] : [`${group} IN (${values.addAll(namedGroups)})`];
  if (namedGroups.length < groups.length) alternatives.push(`${group} IS NULL`);
  return `(${alternatives.join(' OR ')})`;
}

/** Finds the groups with the most requests, at most `limit`, busiest first. */
export async function rankGroups(reader: Reader, selection: Selection, limit: number): Promise<Group[]> {
  const values = new Values();
  const counts = createGroupCountsQuery(reader, selection, values);
  const rows = await reader.rows(
    `SELECT "group", ${sumSql('requests')} AS requests FROM (${counts}) counts
     GROUP BY "group" ORDER BY requests DESC, "group" LIMIT ${values.add(limit)}`,
    values.list,
  );
  return rows.map(({ group }) => group as Group);
}

/** Counts the requests of each group. Requests without a group are left out. */
export async function countRequestsByGroup(reader: Reader, selection: Selection): Promise<Map<string, number>> {
  const values = new Values();
  const requests = new Map<string, number>();
  await reader.forEachRow(
    `SELECT "group", ${sumSql('requests')} AS requests FROM (${createGroupCountsQuery(reader, selection, values)}) counts
     WHERE "group" IS NOT NULL GROUP BY "group"`,
    values.list,
    (row) => requests.set(String(row['group']), Number(row['requests'])),
  );
  return requests;
}

/** Lists up to `limit` groups after a given group, sorted by group; null comes last. */
export async function listGroups(
  reader: Reader,
  selection: Selection,
  limit: number,
  after?: Group,
): Promise<GroupList> {
  const values = new Values();
  const conditions = ['"group" IS NOT NULL'];
  if (after !== undefined && after !== null) conditions.push(`"group" > ${values.add(after)}`);
  const rows = await reader.rows(
    `SELECT DISTINCT "group" FROM (${createGroupCountsQuery(reader, selection, values)}) counts
     WHERE ${conditions.join(' AND ')} ORDER BY "group" LIMIT ${values.add(limit)}`,
    values.list,
  );
  const groups = rows.map(({ group }) => group as Group);
  const isLast = groups.length < limit;
  return { groups: isLast ? [...groups, null] : groups, isLast };
}

function createGroupCountsQuery(reader: Reader, selection: Selection, values: Values): string {
  return isDaily(selection)
    ? createDailyCountsQuery(reader, selection, values)
    : createCountsQuery(reader, selection, values);
}

/** Whether the counts of a selection can be read from `usage_months`. */
function isDaily(selection: Selection): boolean {
  const { by, every, keyNo } = selection;
  const isOfKeys = by === 'key' || by === 'owner' || by === 'plan';
  return isOfKeys && keyNo === undefined && every !== 'minute' && !isDetailed(selection);
}

function createCountsQuery(reader: Reader, selection: Selection, values: Values): string {
  const { group, from, where } = createSource(selection, values);
  return `SELECT ${group} AS "group", u.requests FROM ${from} WHERE ${where} AND ${reader.inTimeCondition}`;
}

/**
 * Adds up whole days from `usage_months`. This table has one row for each key and month, where the other tables may
 * have thousands.
 */
function createDailyCountsQuery(reader: Reader, selection: Selection, values: Values): string {
  const counts = splitPeriod(selection.from, selection.to).map((piece) => {
    const { columns, join, where } = piece.unit === 'hours' ? selectHours(piece, values) : selectDays(piece, values);
    const conditions = [...where, ...createOwnerConditions('m.key_no', selection, values), reader.inTimeCondition];
    return `SELECT m.key_no, ${columns} AS requests FROM usage_months m ${join} WHERE ${conditions.join(' AND ')}`;
  });
  const unionQuery = counts.join(' UNION ALL ');
  if (selection.by === 'key') return `SELECT u.key_no AS "group", u.requests FROM (${unionQuery}) u`;
  return `SELECT ${chooseGroupColumn(selection.by)} AS "group", u.requests
    FROM (SELECT key_no, ${sumSql('requests')} AS requests FROM (${unionQuery}) counted GROUP BY key_no) u
    JOIN history_names n ON n.no = u.key_no LEFT JOIN keys k ON k.id = n.name`;
}

/** Whole days of one month, or hours of one day. */
interface Piece {
  readonly unit: 'days' | 'hours';
  readonly from: number;
  readonly to: number;
}

function splitPeriod(from: number, to: number): Piece[] {
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const lastDay = findStart('day', to);
  if (firstDay > lastDay) return [{ unit: 'hours', from, to }];
  const pieces: Piece[] = [];
  if (from < firstDay) pieces.push({ unit: 'hours', from, to: firstDay });
  for (let at = firstDay; at < lastDay; at = startOfNextMonth(at)) {
    pieces.push({ unit: 'days', from: at, to: Math.min(startOfNextMonth(at), lastDay) });
  }
  if (lastDay < to) pieces.push({ unit: 'hours', from: lastDay, to });
  return pieces;
}

function startOfNextMonth(at: number): number {
  return startOfMonth(startOfMonth(at) + 32 * DAY_MS);
}

function selectDays({ from, to }: Piece, values: Values) {
  const columns: string[] = [];
  for (let at = from; at < to; at += DAY_MS) columns.push(`m.${findDayColumn(at)}`);
  return { columns: columns.join(' + '), join: '', where: [`m.month = ${values.add(startOfMonth(from))}`] };
}

/** Selects the hours of the keys that had requests on that day. */
function selectHours({ from, to }: Piece, values: Values) {
  const where = [
    `m.month = ${values.add(startOfMonth(from))}`,
    `m.${findDayColumn(from)} > 0`,
    'u.key_no = m.key_no',
    `u.operation_no = ${ALL_NAMES}`,
    `u.outcome_no = ${ALL_NAMES}`,
    `u.at >= ${values.add(from)}`,
    `u.at < ${values.add(to)}`,
  ];
  return { columns: 'u.requests', join: `CROSS JOIN ${usageTables.hour} u`, where };
}
