import type { Caller, CallersPage, CallersQuery } from '../store/history-store.ts';
import { createInvalidCursorError } from '../../../storage/paging.ts';
import { loadNumbers, type Reader, type Row, Values } from './reader.ts';

/** The position of the last caller of a page. */
interface Position {
  readonly lastAt: number;
  readonly keyNo: number;
}

/**
 * Lists callers, newest first. A caller that calls again while the pages are read moves to the front, and may be
 * missed.
 *
 * @throws RegistryError `invalid_cursor`
 */
export async function readCallers(reader: Reader, { operation, limit, cursor }: CallersQuery): Promise<CallersPage> {
  const position = cursor === undefined ? null : decodeCursor(cursor);
  const operationNo = (await loadNumbers(reader, [operation])).get(operation);
  if (operationNo === undefined) return { items: [], nextCursor: null };
  const values = new Values();
  const conditions = [`a.operation_no = ${values.add(operationNo)}`];
  if (position !== null) {
    conditions.push(`(a.last_at, a.key_no) < (${values.add(position.lastAt)}, ${values.add(position.keyNo)})`);
  }
  const rows = await reader.rows(
    `SELECT a.key_no, a.first_at, a.last_at, a.requests, n.name, k.owner, k.plan FROM (
       SELECT a.* FROM audience a
       WHERE ${conditions.join(' AND ')} ORDER BY a.last_at DESC, a.key_no DESC LIMIT ${values.add(limit + 1)}
     ) a JOIN history_names n ON n.no = a.key_no LEFT JOIN keys k ON k.id = n.name
     ORDER BY a.last_at DESC, a.key_no DESC`,
    values.list,
  );
  const pageRows = rows.slice(0, limit);
  const last = rows.length > limit ? pageRows.at(-1) : undefined;
  return { items: pageRows.map(toCaller), nextCursor: last === undefined ? null : encodeCursor(toPosition(last)) };
}

function toCaller(row: Row): Caller {
  return {
    key: String(row['name']),
    owner: row['owner'] as string | null,
    plan: row['plan'] as string | null,
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    requests: Number(row['requests']),
  };
}

function toPosition(row: Row): Position {
  return { lastAt: Number(row['last_at']), keyNo: Number(row['key_no']) };
}

function encodeCursor({ lastAt, keyNo }: Position): string {
  return Buffer.from(`callers:${lastAt}:${keyNo}`).toString('base64url');
}

function decodeCursor(cursor: string): Position {
  const [, lastAt, keyNo] = Buffer.from(cursor, 'base64url').toString().split(':').map(Number);
  const position = { lastAt: lastAt ?? Number.NaN, keyNo: keyNo ?? Number.NaN };
  // The whole cursor is compared, because base64 and numbers can both be written in several ways.
  if (!Object.values(position).every(Number.isSafeInteger) || encodeCursor(position) !== cursor) {
    throw createInvalidCursorError();
  }
  return position;
}
