import { RegistryError } from './registry.ts';

/** Paged lists: a cursor is valid for one of them only. */
export type PagedList = 'keys' | 'audit';

/** An opaque cursor to what follows `position`, a positive safe integer. */
export function encodeCursor(list: PagedList, position: number): string {
  return Buffer.from(`${list}:${position}`).toString('base64url');
}

/** @throws RegistryError `invalid_cursor` for anything `encodeCursor` did not make for this list */
export function decodeCursor(list: PagedList, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = Number(text.slice(list.length + 1));
  // Compared as a whole, because base64 and numbers can both be written in several ways.
  if (!Number.isSafeInteger(position) || position < 1 || encodeCursor(list, position) !== cursor) {
    throw new RegistryError('invalid_cursor', 'cursor is not one of this list: start again without a cursor');
  }
  return position;
}

/** @param rows one more than `limit`, if there are as many: it shows that there is a next page */
export function pageOf<Row, T>(
  list: PagedList,
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => number,
  itemOf: (row: Row) => T,
): { items: readonly T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(itemOf), nextCursor: more ? encodeCursor(list, positionOf(last)) : null };
}
