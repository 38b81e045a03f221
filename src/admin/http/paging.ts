import { RegistryError, type Page } from '../../registry/registry.ts';
import type { PageQuery } from '../operation.ts';

/**
 * A page of a list that is held whole. The cursor is the place of the last item, so that a page neither repeats nor
 * skips one where others come and go.
 *
 * @param items sorted by `placeOf`
 * @throws RegistryError `invalid_cursor`
 */
export function pageOfAll<T>(
  list: string,
  items: readonly T[],
  placeOf: (item: T) => string,
  { limit, cursor }: PageQuery,
): Page<T> {
  const after = cursor === undefined ? undefined : decode(list, cursor);
  const rest = after === undefined ? items : items.filter((item) => placeOf(item) > after);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const more = rest.length > limit && last !== undefined;
  return { items: shown, nextCursor: more ? encode(list, placeOf(last)) : null };
}

function encode(list: string, place: string): string {
  return Buffer.from(`${list}:${place}`).toString('base64url');
}

function decode(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = text.slice(list.length + 1);
  // Compared as a whole, because base64 can be written in more than one way.
  if (encode(list, place) === cursor) return place;
  throw new RegistryError('invalid_cursor', 'cursor is not one of this list: start again without a cursor');
}
