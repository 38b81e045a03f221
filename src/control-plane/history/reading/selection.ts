import { ALL, usageTables } from '../../../storage/history-tables.ts';
import type { Grouping, Resolution } from '../reports.ts';
import { minutesBetween } from './minutes.ts';
import type { CountSource, Group, Values } from './reader.ts';

/** Which counts to add up. Names are given by their numbers in `history_names`. */
export interface Selection {
  /** Start of an interval, in ms since the Unix epoch. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly every: Resolution;
  readonly by: Grouping | undefined;
  readonly keyNo: number | undefined;
  /** The id of a key: its rotation chain. */
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

export function groupOf(by: Grouping | undefined): string {
  return by === undefined ? 'NULL' : GROUPS[by];
}

/** Whether it tells keys apart. If not, the rows of all keys together answer it. */
export function isByKey({ by, keyNo, chainOf, owner, plan }: Selection): boolean {
  const isGrouped = by === 'key' || by === 'owner' || by === 'plan';
  return isGrouped || [keyNo, chainOf, owner, plan].some((filter) => filter !== undefined);
}

/** Whether it tells operations or outcomes apart. If not, hours and days have one row for all of them together. */
export function isDetailed({ every, by, operationNo, outcomeNo }: Selection): boolean {
  const isGrouped = by === 'operation' || by === 'outcome';
  return every === 'minute' || isGrouped || operationNo !== undefined || outcomeNo !== undefined;
}

/** The rows of a selection; `groups`: only those of some of its groups. */
export function sourceOf(selection: Selection, values: Values, groups?: readonly Group[]): CountSource {
  const { by, every } = selection;
  const group = groupOf(by);
  const time = every === 'minute' && isOfFewKeys(selection, groups) ? minuteByMinute : timeRange;
  const { tables, within } = time(selection, values);
  const conditions = [...keyConditions(selection, values), ...detailConditions(selection, values), within];
  if (groups !== undefined) conditions.push(isOneOf(group, groups, values));
  const from = by === 'owner' || by === 'plan' ? withKeys(every) : tables;
  return { group, from, where: conditions.join(' AND '), isSummed: isSummed(selection) };
}

/** Whether its keys are known by their numbers. */
function isOfFewKeys(selection: Selection, groups?: readonly Group[]): boolean {
  const { by, keyNo } = selection;
  if (by === 'owner' || by === 'plan') return false;
  return keyNo !== undefined || !isByKey(selection) || (by === 'key' && groups !== undefined);
}

function timeRange({ every, from, to }: Selection, values: Values) {
  const within = `u.at >= ${values.add(from)} AND u.at < ${values.add(to)}`;
  return { tables: `${usageTables[every]} u`, within };
}

function minuteByMinute({ every, from, to }: Selection, values: Values) {
  const tables = `${minutesBetween(from, to, values)} CROSS JOIN ${usageTables[every]} u`;
  return { tables, within: 'u.at = minutes.start' };
}

function isSummed(selection: Selection): boolean {
  const { by, keyNo } = selection;
  const isOneSeries = by === undefined && (keyNo !== undefined || !isByKey(selection));
  return !isDetailed(selection) && (by === 'key' || isOneSeries);
}

/**
 * The order of the tables is that of SQLite's loops: each must look up the next by its primary key. Minutes are stored
 * by time, hours and days by key.
 */
function withKeys(every: Resolution): string {
  const table = usageTables[every];
  if (every === 'minute') {
    return `${table} u JOIN history_names n ON n.no = u.key_no LEFT JOIN keys k ON k.id = n.name`;
  }
  return `history_names n LEFT JOIN keys k ON k.id = n.name CROSS JOIN ${table} u`;
}

function keyConditions(selection: Selection, values: Values): string[] {
  const { by, keyNo, every } = selection;
  if (!isByKey(selection)) return [`u.key_no = ${ALL}`];
  const conditions = [keyNo === undefined ? `u.key_no <> ${ALL}` : `u.key_no = ${values.add(keyNo)}`];
  if ((by === 'owner' || by === 'plan') && every !== 'minute') conditions.push('u.key_no = n.no');
  return [...conditions, ...ownerConditions('u.key_no', selection, values)];
}

/** Those keys that have the rotation chain, the owner and the plan of the selection. */
export function ownerConditions(
  keyNo: string,
  { chainOf, owner, plan }: Partial<Pick<Selection, 'chainOf' | 'owner' | 'plan'>>,
  values: Values,
): string[] {
  const of: string[] = [];
  if (chainOf !== undefined)
    of.push(`keys.chain = (SELECT own.chain FROM keys own WHERE own.id = ${values.add(chainOf)})`);
  if (owner !== undefined) of.push(`keys.owner = ${values.add(owner)}`);
  if (plan !== undefined) of.push(`keys.plan = ${values.add(plan)}`);
  if (of.length === 0) return [];
  const keys = 'keys JOIN history_names ON history_names.name = keys.id';
  return [`${keyNo} IN (SELECT history_names.no FROM ${keys} WHERE ${of.join(' AND ')})`];
}

function detailConditions(selection: Selection, values: Values): string[] {
  const { every, operationNo, outcomeNo } = selection;
  if (!isDetailed(selection)) return [`u.operation_no = ${ALL}`, `u.outcome_no = ${ALL}`];
  const conditions: string[] = [];
  if (operationNo !== undefined) conditions.push(`u.operation_no = ${values.add(operationNo)}`);
  else if (every !== 'minute') conditions.push(`u.operation_no <> ${ALL}`);
  if (outcomeNo !== undefined) conditions.push(`u.outcome_no = ${values.add(outcomeNo)}`);
  return conditions;
}

function isOneOf(group: string, groups: readonly Group[], values: Values): string {
  const named = groups.filter((one) => one !== null);
  const options = named.length === 0 ? [] : [`${group} IN (${values.addAll(named)})`];
  if (named.length < groups.length) options.push(`${group} IS NULL`);
  return `(${options.join(' OR ')})`;
}
