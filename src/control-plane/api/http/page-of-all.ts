import { decodeCursor, pageOf, type Page } from '../../../base/paging.ts';
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
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const rest = after === undefined ? items : items.filter((item) => sortKeyOf(item) > after);
  return pageOf(list, rest, limit, sortKeyOf, (item) => item);
}
