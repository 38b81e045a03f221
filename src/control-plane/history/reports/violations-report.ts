import { ALL_NAMES, VIOLATION_KINDS } from '../../../storage/history-tables.ts';
import { decodeCursor, encodeCursor, createInvalidCursorError } from '../../../storage/paging.ts';
import type { ViolationsQuery, ViolationsReport } from '../store/history-store.ts';
import { loadNames, loadNumbers, type Reader, type Row, sumSql, Values } from './reader.ts';

const LIST = 'violations';
const FIGURES = `${sumSql('v.requests')} AS requests, ${sumSql('v.refused')} AS refused,
  min(v.first_at) AS first_at, max(v.last_at) AS last_at`;
/** The columns by which requests are grouped. */
const GROUPS = { key: 'v.key_no', owner: `coalesce(k.owner, '')`, rule: 'v.rule_no' } as const;

/**
 * Lists keys, owners or rules with requests that did not fit the document, most requests first. Counts that change
 * while the pages are read may move a group to another page.
 *
 * @throws RegistryError `invalid_cursor`
 */
export async function readViolations(reader: Reader, query: ViolationsQuery): Promise<ViolationsReport> {
  const { by, limit, cursor } = query;
  const position = cursor === undefined ? null : readPosition(by, cursor);
  const operationNo = (await loadNumbers(reader, [query.operation])).get(query.operation);
  if (operationNo === undefined) return { items: [], nextCursor: null, unchecked: [] };
  const values = new Values();
  const selected = select(query, operationNo, VIOLATION_KINDS[query.kind], values);
  const rules = by === 'rule' ? `v.rule_no <> ${ALL_NAMES}` : `v.rule_no = ${ALL_NAMES}`;
  const after =
    position === null
      ? ''
      : `WHERE (requests, grp) < (${values.add(position.requests)}, ${values.add(position.group)})`;
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT ${GROUPS[by]} AS grp, ${FIGURES}, count(DISTINCT v.key_no) AS key_count,
         max(k.owner) AS owner, max(k.plan) AS plan
       FROM ${selected} AND ${rules} GROUP BY 1
     ) found ${after} ORDER BY requests DESC, grp DESC LIMIT ${values.add(limit + 1)}`,
    values.list,
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const groups = shown.map(({ grp }) => (by === 'owner' ? String(grp) : Number(grp)));
  const findName = await loadNames(reader, groups);
  return {
    items: shown.map((row, index) => ({
      group: findName(groups[index] ?? null) || null,
      ...toFigures(row),
      keys: Number(row['key_count']),
      owner: by === 'key' ? (row['owner'] as string | null) : null,
      plan: by === 'key' ? (row['plan'] as string | null) : null,
    })),
    nextCursor: last === undefined ? null : encodeCursor(LIST, `${String(last['requests'])} ${String(last['grp'])}`),
    unchecked: await readUnchecked(reader, query, operationNo),
  };
}

async function readUnchecked(
  reader: Reader,
  query: ViolationsQuery,
  operationNo: number,
): Promise<ViolationsReport['unchecked']> {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT v.rule_no AS reason_no, ${FIGURES}
     FROM ${select(query, operationNo, VIOLATION_KINDS.unchecked, values)} GROUP BY 1 ORDER BY 1`,
    values.list,
  );
  const groups = rows.map((row) => Number(row['reason_no']));
  const findName = await loadNames(reader, groups);
  return rows.map((row, index) => ({ reason: findName(groups[index] ?? null) ?? '', ...toFigures(row) }));
}

/** The tables and the condition of a statement. */
function select({ from, to, owner, key }: ViolationsQuery, operationNo: number, kind: number, values: Values): string {
  const conditions = [
    `v.operation_no = ${values.add(operationNo)}`,
    `v.kind = ${values.add(kind)}`,
    `v.at >= ${values.add(from)}`,
    `v.at < ${values.add(to)}`,
    ...(owner === undefined ? [] : [`k.owner = ${values.add(owner)}`]),
    ...(key === undefined ? [] : [`n.name = ${values.add(key)}`]),
  ];
  return `violations v JOIN history_names n ON n.no = v.key_no LEFT JOIN keys k ON k.id = n.name
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
  const [, requests, group = ''] = /^(\d{1,15}) (.*)$/s.exec(decodeCursor(LIST, cursor)) ?? [];
  if (requests === undefined) throw createInvalidCursorError();
  if (by === 'owner') return { requests: Number(requests), group };
  if (!/^\d{1,15}$/.test(group)) throw createInvalidCursorError();
  return { requests: Number(requests), group: Number(group) };
}
