import { ALL_NAMES, VIOLATION_KINDS } from '../../../storage/history-tables.ts';
import { decodeCursor, encodeCursor, createInvalidCursorError } from '../../../storage/paging.ts';
import {
  MAX_TOP_RULES,
  type ViolationGroup,
  type ViolationsQuery,
  type ViolationsReport,
} from '../store/history-store.ts';
import { loadNames, loadNumbers, type Reader, type Row, sumSql, Values } from './reader.ts';

const LIST = 'violations';
const FIGURES = `${sumSql('v.requests')} AS requests, ${sumSql('v.refused')} AS refused,
  min(v.first_at) AS first_at, max(v.last_at) AS last_at`;
/** The columns by which requests are grouped. */
const GROUPS = {
  key: 'v.key_no',
  owner: `coalesce(k.owner, '')`,
  rule: 'v.rule_no',
  operation: 'v.operation_no',
  operationRule: 'v.operation_no',
} as const;

const KEY_FIGURES = `count(DISTINCT k.owner) AS owner_count,
  count(DISTINCT CASE WHEN k.validation = 'report' THEN v.key_no END) AS exempt_count,
  max(k.owner) AS owner, max(k.plan) AS plan`;
const NO_KEY_FIGURES = '0 AS owner_count, 0 AS exempt_count, NULL AS owner, NULL AS plan';

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
  if (operationNumbers.length === 0) return { items: [], nextCursor: null, unchecked: [] };
  const values = new Values();
  const isJoined = needsKeys(query);
  const selected = select(query, operationNumbers, VIOLATION_KINDS[query.kind], values, isJoined);
  const hasRule = by === 'rule' || by === 'operationRule';
  const after =
    position === null
      ? ''
      : `WHERE (requests, grp, rule_no) <
           (${values.add(position.requests)}, ${values.add(position.group)}, ${values.add(position.ruleNo)})`;
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT ${GROUPS[by]} AS grp, ${by === 'operationRule' ? 'v.rule_no' : '0'} AS rule_no, ${FIGURES},
         count(DISTINCT v.key_no) AS key_count, ${isJoined ? KEY_FIGURES : NO_KEY_FIGURES}
       FROM ${selected} AND v.rule_no ${hasRule ? '<>' : '='} ${ALL_NAMES} GROUP BY 1, 2
     ) found ${after} ORDER BY requests DESC, grp DESC, rule_no DESC LIMIT ${values.add(limit + 1)}`,
    values.list,
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const groups = shown.map(({ grp }) => (by === 'owner' ? String(grp) : Number(grp)));
  const ruleNumbers = shown.map((row) => Number(row['rule_no']));
  const findName = await loadNames(reader, [...groups, ...(by === 'operationRule' ? ruleNumbers : [])]);
  const topRules = by === 'key' || by === 'owner' ? await readTopRules(reader, query, operationNumbers, groups) : null;
  return {
    items: shown.map((row, index) => {
      const group = groups[index] ?? null;
      const name = findName(group) || null;
      return {
        group: name,
        rule: by === 'rule' ? name : by === 'operationRule' ? findName(ruleNumbers[index] ?? null) : null,
        ...toFigures(row),
        keys: Number(row['key_count']),
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
  };
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
  const selected = select(query, operationNumbers, VIOLATION_KINDS[query.kind], values);
  const group = GROUPS[query.by];
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT grp, rule_no, requests, count(*) OVER (PARTITION BY grp) AS rule_count,
         row_number() OVER (PARTITION BY grp ORDER BY requests DESC, rule_no) AS place
       FROM (
         SELECT ${group} AS grp, v.rule_no AS rule_no, ${sumSql('v.requests')} AS requests
         FROM ${selected} AND v.rule_no <> ${ALL_NAMES} AND ${group} IN (${values.addAll(groups)}) GROUP BY 1, 2
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
  const rows = await reader.rows(
    `SELECT v.rule_no AS reason_no, ${FIGURES}
     FROM ${select(query, operationNumbers, VIOLATION_KINDS.unchecked, values, needsKeys(query))} GROUP BY 1 ORDER BY 1`,
    values.list,
  );
  const groups = rows.map((row) => Number(row['reason_no']));
  const findName = await loadNames(reader, groups);
  return rows.map((row, index) => ({ reason: findName(groups[index] ?? null) ?? '', ...toFigures(row) }));
}

/** Joining the records of all keys takes seconds if there are many operations. A list of them does without. */
function needsKeys({ by, operations, owner, key, chainOf }: ViolationsQuery): boolean {
  const isByOperation = by === 'operation' || by === 'operationRule';
  return !isByOperation || operations.length === 1 || [owner, key, chainOf].some((filter) => filter !== undefined);
}

/** The tables and the condition of a statement. `isJoined`: with the records of the keys, as `k`. */
function select(
  { from, to, owner, key, chainOf }: ViolationsQuery,
  operationNumbers: readonly number[],
  kind: number,
  values: Values,
  isJoined = true,
): string {
  const conditions = [
    `v.operation_no IN (${operationNumbers.join(', ')})`,
    `v.kind = ${values.add(kind)}`,
    `v.at >= ${values.add(from)}`,
    `v.at < ${values.add(to)}`,
    ...(owner === undefined ? [] : [`k.owner = ${values.add(owner)}`]),
    ...(key === undefined ? [] : [`n.name = ${values.add(key)}`]),
    ...(chainOf === undefined
      ? []
      : [`k.chain = (SELECT own.chain FROM keys own WHERE own.id = ${values.add(chainOf)})`]),
  ];
  const keys = isJoined ? 'JOIN history_names n ON n.no = v.key_no LEFT JOIN keys k ON k.id = n.name' : '';
  return `violations v ${keys}
    WHERE ${conditions.join(' AND ')}`;
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
