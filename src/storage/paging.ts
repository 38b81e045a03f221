import { RegistryError } from '../domain/registry-error.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface PageRequest {
  /**
   * At least 1. The API's default and maximum are in `src/control-plane/api-server/openapi/paging.yaml`. Some
   * operations have their own.
   */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Creates an opaque cursor for the items after `position`. It is valid for this list only. */
export function encodeCursor(list: string, position: string | number): string {
  return Buffer.from(`${list}:${position}`).toString('base64url');
}

/** @throws RegistryError `invalid_cursor` for anything that `encodeCursor` did not create for this list */
export function decodeCursor(list: string, cursor: string): string {
  const position = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(list.length + 1);
  // Base64 has several spellings of the same bytes, so encode the position again and compare. Control characters are
  // refused because a position has none, and PostgreSQL does not accept NUL in text.
  if (encodeCursor(list, position) !== cursor || /\p{Cc}/u.test(position)) throw createInvalidCursorError();
  return position;
}

/**
 * Decodes the cursor of a list in the order of a sequence.
 *
 * @returns a positive safe integer
 * @throws RegistryError `invalid_cursor`
 */
export function decodeSequence(list: string, cursor: string): number {
  const text = decodeCursor(list, cursor);
  const sequence = Number(text);
  // Compare the text too, because the same number has several spellings.
  if (!Number.isSafeInteger(sequence) || sequence < 1 || String(sequence) !== text) throw createInvalidCursorError();
  return sequence;
}

/** Formats the position of a row in a list that is sorted by a value, and by the sequence for equal values. */
export function formatSortPosition(value: string | number, sequence: number): string {
  return `${encodeURIComponent(sequence)}:${encodeURIComponent(value)}`;
}

/**
 * Decodes the cursor of a list that is sorted by a value.
 *
 * @throws RegistryError `invalid_cursor`, also if the value is a number but should be text, or the other way around
 */
export function decodePosition(
  list: string,
  cursor: string,
  isNumber: boolean,
): { readonly value: string | number; readonly sequence: number } {
  const position = decodeCursor(list, cursor);
  const [sequenceText = '', valueText = ''] = position.split(':');
  const [sequence, text] = [Number(sequenceText), decodeText(valueText)];
  const value = isNumber ? Number(text) : text;
  if (!Number.isSafeInteger(sequence) || sequence < 1 || (isNumber && !Number.isSafeInteger(value))) {
    throw createInvalidCursorError();
  }
  if (formatSortPosition(value, sequence) !== position) throw createInvalidCursorError();
  return { value, sequence };
}

/**
 * Decodes one part of a cursor's position, which was encoded with `encodeURIComponent`. Refuses NUL, which PostgreSQL
 * does not accept in text.
 *
 * @throws RegistryError `invalid_cursor`
 */
export function decodeText(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Malformed percent-encoding is refused below.
  }
  throw createInvalidCursorError();
}

/** @param rows up to `limit` + 1 rows; the extra row means that there is a next page */
export function toPage<Row, T>(
  list: string,
  rows: readonly Row[],
  limit: number,
  getPosition: (row: Row) => string | number,
  toItem: (row: Row) => T,
): Page<T> {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: pageRows.map(toItem), nextCursor: hasMore ? encodeCursor(list, getPosition(last)) : null };
}

export function createInvalidCursorError(): RegistryError {
  return new RegistryError('invalid_cursor', 'cursor does not belong to this list: start again without a cursor');
}
