import { RegistryError, type Page } from '../../registry/registry.ts';
import type { PageQuery } from '../operation.ts';

/**
 * A page of a list that is wholly in memory. The cursor holds the sort key of the last item shown, so that no item is
 * repeated or skipped when others are added or removed.
 *
 * @param items sorted by `sortKeyOf`
 * @throws RegistryError `invalid_cursor`
 */
export function pageOfAll<T>(
  list: string,
  items: readonly T[],
  sortKeyOf: (item: T) => string,
  { limit, cursor }: PageQuery,
): Page<T> {
  const after = cursor === undefined ? undefined : decode(list, cursor);
  const rest = after === undefined ? items : items.filter((item) => sortKeyOf(item) > after);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const more = rest.length > limit && last !== undefined;
  return { items: shown, nextCursor: more ? encode(list, sortKeyOf(last)) : null };
}

function encode(list: string, sortKey: string): string {
  return Buffer.from(`${list}:${sortKey}`).toString('base64url');
}

function decode(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const sortKey = text.slice(list.length + 1);
  // Encode again and compare: base64 has several spellings for the same bytes.
  if (encode(list, sortKey) === cursor) return sortKey;
  throw new RegistryError('invalid_cursor', 'cursor is not one of this list: start again without a cursor');
}
