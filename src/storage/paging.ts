import { RegistryError } from '../domain/registry-error.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface PageRequest {
  /**
   * At least 1. The default and the maximum are in `src/control-plane/api-server/openapi/paging.yaml`. Some operations
   * have others.
   */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** An opaque cursor to the items after `position`, valid for this list only. */
export function encodeCursor(list: string, position: string | number): string {
  return Buffer.from(`${list}:${position}`).toString('base64url');
}

/** @throws RegistryError `invalid_cursor` for anything that `encodeCursor` did not create for this list */
export function decodeCursor(list: string, cursor: string): string {
  const position = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(list.length + 1);
  // Base64 has several spellings for the same bytes, so the position is encoded again and compared. A position has no
  // control characters, and PostgreSQL does not accept NUL in text.
  if (encodeCursor(list, position) !== cursor || /\p{Cc}/u.test(position)) throw invalidCursor();
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
  // The same number can also be written in several ways.
  if (!Number.isSafeInteger(sequence) || sequence < 1 || String(sequence) !== text) throw invalidCursor();
  return sequence;
}

/** The position of a row in a list that is sorted by a value. Rows with the same value are sorted by their sequence. */
export function positionIn(value: string | number, sequence: number): string {
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
  const [sequence, text] = [Number(sequenceText), decodedText(valueText)];
  const value = isNumber ? Number(text) : text;
  if (!Number.isSafeInteger(sequence) || sequence < 1 || (isNumber && !Number.isSafeInteger(value))) {
    throw invalidCursor();
  }
  if (positionIn(value, sequence) !== position) throw invalidCursor();
  return { value, sequence };
}

/**
 * Decodes a part of a position that `encodeURIComponent` wrote. PostgreSQL does not accept NUL in text.
 *
 * @throws RegistryError `invalid_cursor`
 */
export function decodedText(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // The text is refused below.
  }
  throw invalidCursor();
}

/** @param rows up to `limit` + 1 rows: the extra row shows that there is a next page */
export function toPage<Row, T>(
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

export function invalidCursor(): RegistryError {
  return new RegistryError('invalid_cursor', 'cursor does not belong to this list: start again without a cursor');
}
