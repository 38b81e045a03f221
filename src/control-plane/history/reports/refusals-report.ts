import { usageTables } from '../../../storage/history-tables.ts';
import { type RefusalFacts, explanationWindowEnd } from '../explanations/refusal-facts.ts';
import { decodeCursor, decodeText, encodeCursor, createInvalidCursorError } from '../../../storage/paging.ts';
import type {
  FoundRefusal,
  ListedRefusal,
  RecentRefusalsQuery,
  RefusalRecord,
  RefusalsPage,
} from '../store/history-store.ts';
import { createMinutesTable, loadNumbers, type Reader, type Row, sumSql, Values } from './reader.ts';
import { createOwnerConditions } from './selection.ts';

/**
 * Maximum number of refusals returned for a request id, newest first. Callers choose ids, so several may be the same.
 */
const MAX_FOUND = 10;
/** Maximum number of later refusals returned with a refusal. Their strikes show how close the key came to a ban. */
const MAX_LATER = 50;

export async function readRefusals(reader: Reader, requestId: string, quotaId?: string): Promise<FoundRefusal[]> {
  const values = new Values();
  const id = values.add(requestId);
  const quotaCondition = quotaId === undefined ? '' : `AND r.quota_id = ${values.add(quotaId)}`;
  const latestClause = `${quotaCondition} ORDER BY r.at DESC LIMIT ${MAX_FOUND}`;
  const columns = 'r.request_id, r.quota_id, r.at, r.key_no, n.name, r.facts';
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT ${columns} FROM refusals r JOIN history_names n ON n.no = r.key_no WHERE r.request_id = ${id} ${latestClause}
     ) stored UNION SELECT * FROM (
       SELECT ${columns} FROM repeated_refusals repeated
       JOIN refusals r ON r.key_no = repeated.key_no AND r.at = repeated.at AND r.request_id = repeated.stored_id
       JOIN history_names n ON n.no = r.key_no WHERE repeated.request_id = ${id} ${latestClause}
     ) repeated ORDER BY at DESC LIMIT ${MAX_FOUND}`,
    values.list,
  );
  const refusals: FoundRefusal[] = [];
  for (const row of rows) refusals.push(await addContext(reader, row));
  return refusals;
}

/** Number of refusals read at once to filter by code or operation, because there are no indexes for these filters. */
const SLICE_SIZE = 2000;
/** Maximum number of refusals read for one page. */
const MAX_READ = 20_000;

/** The position of the last refusal of a page. */
interface Position {
  readonly at: number;
  readonly quotaId: string;
  readonly requestId: string;
}

/**
 * Reads a page of refusals, newest first.
 *
 * @throws RegistryError `invalid_cursor`
 */
export async function readRecentRefusals(reader: Reader, query: RecentRefusalsQuery): Promise<RefusalsPage> {
  const { code, operation, limit, cursor } = query;
  const keyNos = await findKeyNumbers(reader, query);
  let last = cursor === undefined ? null : decodePosition(cursor);
  if (keyNos?.length === 0) return { items: [], nextCursor: null };
  const size = code === undefined && operation === undefined ? limit + 1 : SLICE_SIZE;
  const foundRows: Row[] = [];
  for (let readCount = size; ; readCount += size) {
    const rows = await readSlice(reader, query, keyNos, last, size);
    foundRows.push(...rows.filter(({ facts }) => facts !== null));
    if (foundRows.length > limit) return createPage(foundRows.slice(0, limit), toPosition(foundRows[limit - 1] as Row));
    if (rows.length < size) return createPage(foundRows, null);
    last = toPosition(rows.at(-1) as Row);
    if (readCount >= MAX_READ) return createPage(foundRows, last);
  }
}

/**
 * Finds the numbers of the keys that a query selects; undefined: all keys. They are looked up first, because a list of
 * numbers makes SQLite use the index by key.
 */
async function findKeyNumbers(
  reader: Reader,
  { keyIds, chainOf }: RecentRefusalsQuery,
): Promise<readonly number[] | undefined> {
  if (chainOf !== undefined) return findChainNumbers(reader, chainOf);
  return keyIds === undefined ? undefined : [...(await loadNumbers(reader, keyIds)).values()];
}

async function findChainNumbers(reader: Reader, keyId: string): Promise<readonly number[]> {
  const values = new Values();
  const chain = `(SELECT own.chain FROM keys own WHERE own.id = ${values.add(keyId)})`;
  const rows = await reader.rows(
    `SELECT n.no FROM keys k JOIN history_names n ON n.name = k.id WHERE k.chain = ${chain}`,
    values.list,
  );
  return rows.map((row) => Number(row['no']));
}

/** Reads the next refusals. The facts are null for refusals with a different code or operation. */
function readSlice(
  reader: Reader,
  { owner, code, operation, from }: RecentRefusalsQuery,
  keyNos: readonly number[] | undefined,
  last: Position | null,
  size: number,
): Promise<readonly Row[]> {
  const values = new Values();
  const factConditions = Object.entries({ code, operation }).flatMap(([name, value]) =>
    value === undefined ? [] : `${reader.selectText('r.facts', name)} = ${values.add(value)}`,
  );
  const facts = factConditions.length === 0 ? 'r.facts' : `CASE WHEN ${factConditions.join(' AND ')} THEN r.facts END`;
  const conditions = [
    `r.at >= ${values.add(from)}`,
    ...createOwnerConditions('r.key_no', { owner }, values),
    reader.inTimeCondition,
  ];
  if (keyNos !== undefined) conditions.push(`r.key_no IN (${values.addAll(keyNos)})`);
  if (last !== null) {
    const placeholders = values.addAll([last.at, last.quotaId, last.requestId]);
    conditions.push(`(r.at, r.quota_id, r.request_id) < (${placeholders})`);
  }
  const order = 'ORDER BY r.at DESC, r.quota_id DESC, r.request_id DESC';
  return reader.rows(
    `SELECT r.request_id, r.quota_id, r.at, r.facts, n.name, k.name AS key_name, k.owner FROM (
       SELECT r.request_id, r.quota_id, r.at, r.key_no, ${facts} AS facts FROM refusals r
       WHERE ${conditions.join(' AND ')} ${order} LIMIT ${values.add(size)}
     ) r JOIN history_names n ON n.no = r.key_no LEFT JOIN keys k ON k.id = n.name ${order}`,
    values.list,
  );
}

function createPage(rows: readonly Row[], last: Position | null): RefusalsPage {
  return { items: rows.map(toListedRefusal), nextCursor: last === null ? null : encodePosition(last) };
}

function toListedRefusal(row: Row): ListedRefusal {
  return { ...toRefusalRecord(row), keyName: row['key_name'] as string | null, owner: row['owner'] as string | null };
}

function toPosition(row: Row): Position {
  return { at: Number(row['at']), quotaId: String(row['quota_id']), requestId: String(row['request_id']) };
}

const CURSOR_LIST = 'refusals';

function encodePosition({ at, quotaId, requestId }: Position): string {
  return encodeCursor(CURSOR_LIST, `${at}:${encodeURIComponent(quotaId)}:${encodeURIComponent(requestId)}`);
}

function decodePosition(cursor: string): Position {
  const [at = '', quotaId = '', requestId = ''] = decodeCursor(CURSOR_LIST, cursor).split(':').map(decodeText);
  const position = { at: Number(at), quotaId, requestId };
  if (!Number.isSafeInteger(position.at) || encodePosition(position) !== cursor) throw createInvalidCursorError();
  return position;
}

function toRefusalRecord(row: Row): RefusalRecord {
  return {
    requestId: String(row['request_id']),
    quotaId: String(row['quota_id']),
    keyId: String(row['name']),
    at: Number(row['at']),
    facts: readFacts(row),
  };
}

async function addContext(reader: Reader, row: Row): Promise<FoundRefusal> {
  const record = toRefusalRecord(row);
  const { at, facts, quotaId } = record;
  const period = { keyNo: Number(row['key_no']), at, to: explanationWindowEnd(at, facts as unknown as RefusalFacts) };
  return {
    ...record,
    minutes: await loadMinutes(reader, period),
    later: await loadLaterRefusals(reader, quotaId, period),
  };
}

interface Period {
  readonly keyNo: number;
  readonly at: number;
  readonly to: number;
}

async function loadMinutes(reader: Reader, { keyNo, at, to }: Period): Promise<FoundRefusal['minutes']> {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT u.at, ${sumSql('u.requests')} AS requests, ${sumSql('u.refused')} AS refused
     FROM ${createMinutesTable(at, to + 1, values)} CROSS JOIN ${usageTables.minute} u
     WHERE u.at = minutes.start AND u.key_no = ${values.add(keyNo)} GROUP BY u.at ORDER BY u.at`,
    values.list,
  );
  return rows.map((row) => ({
    at: Number(row['at']),
    requests: Number(row['requests']),
    refused: Number(row['refused']),
  }));
}

async function loadLaterRefusals(reader: Reader, quotaId: string, { keyNo, at, to }: Period) {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT r.at, r.facts FROM refusals r WHERE r.key_no = ${values.add(keyNo)} AND r.at > ${values.add(at)}
       AND r.at <= ${values.add(to)} AND r.quota_id = ${values.add(quotaId)}
     ORDER BY r.at DESC LIMIT ${MAX_LATER}`,
    values.list,
  );
  return rows.map((row) => ({ at: Number(row['at']), facts: readFacts(row) })).toReversed();
}

function readFacts(row: Row): FoundRefusal['facts'] {
  return JSON.parse(String(row['facts'])) as FoundRefusal['facts'];
}
