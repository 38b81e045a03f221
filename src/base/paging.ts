import { RegistryError } from './error-types.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface PageRequest {
  /** At least 1. `src/control-plane/api/openapi/paging.yaml` has its default and its maximum; some operations have others. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** An opaque cursor to what follows `position`, valid for this list only. */
function encodeCursor(list: string, position: string | number): string {
  return Buffer.from(`${list}:${position}`).toString('base64url');
}

/** @throws RegistryError `invalid_cursor` for anything that `encodeCursor` did not create for this list */
export function decodeCursor(list: string, cursor: string): string {
  const position = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(list.length + 1);
  // Encoded again and compared as a whole, because base64 has several spellings for the same bytes. A position has no
  // control characters; PostgreSQL accepts no NUL in a text.
  if (encodeCursor(list, position) !== cursor || /\p{Cc}/u.test(position)) throw invalidCursor();
  return position;
}

/**
 * For lists in the order of a sequence.
 *
 * @returns a positive safe integer
 * @throws RegistryError `invalid_cursor`
 */
export function decodeSequence(list: string, cursor: string): number {
  const text = decodeCursor(list, cursor);
  const sequence = Number(text);
  // Numbers can be written in several ways too.
  if (!Number.isSafeInteger(sequence) || sequence < 1 || String(sequence) !== text) throw invalidCursor();
  return sequence;
}

/** @param rows up to `limit` + 1: the extra one shows that there is a next page */
export function pageOf<Row, T>(
  list: string,
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string | number,
  itemOf: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(itemOf), nextCursor: more ? encodeCursor(list, positionOf(last)) : null };
}

function invalidCursor(): RegistryError {
  return new RegistryError('invalid_cursor', 'cursor does not belong to this list: start again without a cursor');
}
