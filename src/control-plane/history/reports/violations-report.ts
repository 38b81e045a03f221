import { ALL_NAMES, NO_NAME, VIOLATION_KINDS } from '../../../storage/history-tables.ts';
import { decodeCursor, encodeCursor, createInvalidCursorError } from '../../../storage/paging.ts';
import { findNextStart, findStart } from '../store/calendar.ts';
import {
  MAX_COUNTED_OPERATIONS,
  MAX_TOP_RULES,
  type ViolationGroup,
  type ViolationsQuery,
  type ViolationsReport,
} from '../store/history-store.ts';
import { loadNames, loadNumbers, type Reader, type Row, sumSql, Values } from './reader.ts';

const LIST = 'violations';
const FIGURES = `${sumSql('v.requests')} AS requests, ${sumSql('v.refused')} AS refused,
  min(v.first_at) AS first_at, max(v.last_at) AS last_at`;
/** The columns by which requests are grouped, after they have been added up by key. */
const GROUPS = {
  key: 'v.key_no',
  owner: `coalesce(k.owner, '')`,
  rule: 'v.rule_no',
  operation: 'v.operation_no',
  operationRule: 'v.operation_no',
} as const;

/** The columns by which the rows of each key are added up. */
const KEY_GROUPS = {
  key: 'v.key_no',
  owner: 'v.key_no',
  rule: 'v.rule_no, v.key_no',
  operation: 'v.operation_no, v.key_no',
  operationRule: 'v.operation_no, v.rule_no, v.key_no',
} as const;

/** Figures of rows that have been added up by key. Requests without a key are no key. */
const KEY_FIGURES = `count(nullif(v.key_no, ${NO_NAME})) AS key_count, count(DISTINCT k.owner) AS owner_count,
  count(CASE WHEN k.validation = 'report' THEN 1 END) AS exempt_count,
  max(k.owner) AS owner, max(k.plan) AS plan`;
const NO_KEY_FIGURES = '0 AS key_count, 0 AS owner_count, 0 AS exempt_count, NULL AS owner, NULL AS plan';

/** The records of the keys, as `k`. */
const RECORDS = 'JOIN history_names n ON n.no = v.key_no LEFT JOIN keys k ON k.id = n.name';

type TopRules = Pick<ViolationGroup, 'topRules' | 'rules'>;

const NO_RULES: TopRules = { topRules: [], rules: 0 };

/**
 * Lists keys, owners, rules or operations with requests that did not fit the document, most requests first. Counts that
 * change while the pages are read may move a group to another page.
 *
 * @throws RegistryError `invalid_cursor`
 */
export async function readViolations(reader: Reader, query: ViolationsQuery): Promise<ViolationsReport> {
  const { by, limit, cursor } = query;
  const position = cursor === undefined ? null : readPosition(by, cursor);
  const operationNumbers = [...(await loadNumbers(reader, query.operations)).values()];
  if (operationNumbers.length === 0) return { items: [], nextCursor: null, unchecked: [], hasKeys: true };
  const values = new Values();
  const isOfKeys = needsKeys(query);
  const hasRule = by === 'rule' || by === 'operationRule';
  const rules = `v.rule_no ${hasRule ? '<>' : '='} ${ALL_NAMES}`;
  const kind = VIOLATION_KINDS[query.kind];
  const selected = isOfKeys
    ? selectKeys(reader, query, operationNumbers, values, { columns: KEY_GROUPS[by], rules })
    : selectSums(reader, query, operationNumbers, kind, values, rules);
  const after =
    position === null
      ? ''
      : `WHERE (requests, grp, rule_no) <
           (${values.add(position.requests)}, ${values.add(position.group)}, ${values.add(position.ruleNo)})`;
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT ${GROUPS[by]} AS grp, ${selectRule(by)} AS rule_no, ${FIGURES},
         ${isOfKeys ? KEY_FIGURES : NO_KEY_FIGURES}
       FROM ${selected} GROUP BY 1, 2
     ) found ${after} ORDER BY requests DESC, grp DESC, rule_no DESC LIMIT ${values.add(limit + 1)}`,
    values.list,
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const groups = shown.map(({ grp }) => (by === 'owner' ? String(grp) : Number(grp)));
  const ruleNumbers = shown.map((row) => Number(row['rule_no']));
  const findName = await loadNames(reader, [...groups, ...(by === 'operationRule' ? ruleNumbers : [])]);
  const hasKeys = isOfKeys || limit <= MAX_COUNTED_OPERATIONS;
  const countKeys = isOfKeys || !hasKeys ? null : await readKeyCounts(reader, query, shown, rules);
  const topRules = by === 'key' || by === 'owner' ? await readTopRules(reader, query, operationNumbers, groups) : null;
  return {
    items: shown.map((row, index) => {
      const group = groups[index] ?? null;
      const name = findName(group) || null;
      return {
        group: name,
        rule: by === 'rule' ? name : by === 'operationRule' ? findName(ruleNumbers[index] ?? null) : null,
        ...toFigures(row),
        keys: countKeys?.(row) ?? Number(row['key_count']),
        exemptKeys: Number(row['exempt_count']),
        owners: Number(row['owner_count']),
        owner: by === 'key' ? (row['owner'] as string | null) : null,
        plan: by === 'key' ? (row['plan'] as string | null) : null,
        ...(topRules?.get(String(group)) ?? NO_RULES),
      };
    }),
    nextCursor:
      last === undefined ? null : encodeCursor(LIST, [last['requests'], last['rule_no'], last['grp']].join(' ')),
    unchecked: await readUnchecked(reader, query, operationNumbers),
    hasKeys,
  };
}

/**
 * Counts the keys of the groups that are shown. Each operation takes a statement, because it may have a million rows.
 *
 * @returns a function that finds the number of keys of a group
 */
async function readKeyCounts(
  reader: Reader,
  query: ViolationsQuery,
  shown: readonly Row[],
  rules: string,
): Promise<(row: Row) => number> {
  const counts = new Map<string, number>();
  for (const operation of new Set(shown.map(({ grp }) => Number(grp)))) {
    const values = new Values();
    const rows = await reader.rows(
      `SELECT ${selectRule(query.by)} AS rule_no, count(DISTINCT nullif(v.key_no, ${NO_NAME})) AS key_count
       FROM ${select(reader, query, [operation], VIOLATION_KINDS[query.kind], values)} AND ${rules} GROUP BY 1`,
      values.list,
    );
    for (const row of rows) counts.set(`${operation} ${String(row['rule_no'])}`, Number(row['key_count']));
  }
  return ({ grp, rule_no: ruleNo }) => counts.get(`${String(grp)} ${String(ruleNo)}`) ?? 0;
}

/** The rules with the most requests, by key or owner. */
async function readTopRules(
  reader: Reader,
  query: ViolationsQuery,
  operationNumbers: readonly number[],
  groups: readonly (string | number)[],
): Promise<ReadonlyMap<string, TopRules>> {
  if (groups.length === 0) return new Map();
  const values = new Values();
  const group = GROUPS[query.by];
  const keys = `SELECT n.no FROM history_names n LEFT JOIN keys k ON k.id = n.name
    WHERE ${query.by === 'owner' ? group : 'n.no'} IN (${values.addAll(groups)})`;
  const rules = `v.rule_no <> ${ALL_NAMES} AND v.key_no IN (${keys})`;
  const selected = selectKeys(reader, query, operationNumbers, values, { columns: 'v.key_no, v.rule_no', rules });
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT grp, rule_no, requests, count(*) OVER (PARTITION BY grp) AS rule_count,
         row_number() OVER (PARTITION BY grp ORDER BY requests DESC, rule_no) AS place
       FROM (
         SELECT ${group} AS grp, v.rule_no AS rule_no, ${sumSql('v.requests')} AS requests
         FROM ${selected} GROUP BY 1, 2
       ) counted
     ) placed WHERE place <= ${MAX_TOP_RULES} ORDER BY place`,
    values.list,
  );
  const findName = await loadNames(
    reader,
    rows.map((row) => Number(row['rule_no'])),
  );
  const byGroup = new Map<string, { topRules: { rule: string; requests: number }[]; rules: number }>();
  for (const row of rows) {
    const key = String(row['grp']);
    const found = byGroup.get(key) ?? { topRules: [], rules: Number(row['rule_count']) };
    found.topRules.push({ rule: findName(Number(row['rule_no'])) ?? '', requests: Number(row['requests']) });
    byGroup.set(key, found);
  }
  return byGroup;
}

async function readUnchecked(
  reader: Reader,
  query: ViolationsQuery,
  operationNumbers: readonly number[],
): Promise<ViolationsReport['unchecked']> {
  const values = new Values();
  const selected = (isFiltered(query) ? select : selectSums)(
    reader,
    query,
    operationNumbers,
    VIOLATION_KINDS.unchecked,
    values,
  );
  const rows = await reader.rows(
    `SELECT v.rule_no AS reason_no, ${FIGURES} FROM ${selected} GROUP BY 1 ORDER BY 1`,
    values.list,
  );
  const groups = rows.map((row) => Number(row['reason_no']));
  const findName = await loadNames(reader, groups);
  return rows.map((row, index) => ({ reason: findName(groups[index] ?? null) ?? '', ...toFigures(row) }));
}

/** The number of the rule of a group, or 0 if requests are not grouped by operation and rule. */
function selectRule(by: ViolationsQuery['by']): string {
  return by === 'operationRule' ? 'v.rule_no' : '0';
}

/** Reading the rows of all keys takes too long if there are many operations. A list of them reads the sums. */
function needsKeys(query: ViolationsQuery): boolean {
  const isByOperation = query.by === 'operation' || query.by === 'operationRule';
  return !isByOperation || query.operations.length === 1 || isFiltered(query);
}

function isFiltered({ owner, key, chainOf }: ViolationsQuery): boolean {
  return [owner, key, chainOf].some((filter) => filter !== undefined);
}

/**
 * The table and the condition of a statement about all keys. Whole days are read from the sums, and the hours before and
 * after them from the rows of the keys.
 */
function selectSums(
  reader: Reader,
  { from, to }: ViolationsQuery,
  operationNumbers: readonly number[],
  kind: number,
  values: Values,
  rules = 'true',
): string {
  const firstDay = Math.min(findNextStart('day', from), to);
  const lastDay = Math.max(findStart('day', to), firstDay);
  const selectFrom = (table: string, start: number, end: number) => `
    SELECT operation_no, rule_no, requests, refused, first_at, last_at FROM ${table} v
    WHERE v.operation_no IN (${operationNumbers.join(', ')}) AND v.kind = ${values.add(kind)} AND ${rules}
      AND v.at >= ${values.add(start)} AND v.at < ${values.add(end)} AND ${reader.inTimeCondition}`;
  return `(
    ${selectFrom('violation_days', firstDay, lastDay)}
    UNION ALL ${selectFrom('violations', from, firstDay)}
    UNION ALL ${selectFrom('violations', lastDay, to)}) v`;
}

/**
 * The tables and the condition of a statement about keys, with the records of the keys as `k`. The rows of each key are
 * added up first: there may be a thousand rows for each key, and looking up its record for each of them takes twice as
 * long as the rest.
 */
function selectKeys(
  reader: Reader,
  query: ViolationsQuery,
  operationNumbers: readonly number[],
  values: Values,
  { columns, rules }: { readonly columns: string; readonly rules: string },
): string {
  return `(
    SELECT ${columns}, ${FIGURES} FROM ${select(reader, query, operationNumbers, VIOLATION_KINDS[query.kind], values)}
      AND ${rules} GROUP BY ${columns}
    ) v ${RECORDS} WHERE ${reader.inTimeCondition}`;
}

/** The tables and the condition of a statement about the rows of keys. */
function select(
  reader: Reader,
  query: ViolationsQuery,
  operationNumbers: readonly number[],
  kind: number,
  values: Values,
): string {
  const { from, to, owner, key, chainOf } = query;
  const conditions = [
    `v.operation_no IN (${operationNumbers.join(', ')})`,
    `v.kind = ${values.add(kind)}`,
    `v.at >= ${values.add(from)}`,
    `v.at < ${values.add(to)}`,
    reader.inTimeCondition,
    ...(owner === undefined ? [] : [`k.owner = ${values.add(owner)}`]),
    ...(key === undefined ? [] : [`n.name = ${values.add(key)}`]),
    ...(chainOf === undefined
      ? []
      : [`k.chain = (SELECT own.chain FROM keys own WHERE own.id = ${values.add(chainOf)})`]),
  ];
  return `violations v ${isFiltered(query) ? RECORDS : ''} WHERE ${conditions.join(' AND ')}`;
}

function toFigures(row: Row) {
  return {
    requests: Number(row['requests']),
    refused: Number(row['refused']),
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
  };
}

function readPosition(by: ViolationsQuery['by'], cursor: string) {
  const [, requests, ruleNo, group = ''] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(decodeCursor(LIST, cursor)) ?? [];
  if (requests === undefined) throw createInvalidCursorError();
  const position = { requests: Number(requests), ruleNo: Number(ruleNo) };
  if (by === 'owner') return { ...position, group };
  if (!/^\d{1,15}$/.test(group)) throw createInvalidCursorError();
  return { ...position, group: Number(group) };
}
