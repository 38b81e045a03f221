import { type Command, Option } from 'commander';
import type { AdminApi, Query } from './admin-api.ts';
import { toCount } from './command.ts';
import type { Io } from './io.ts';

export interface ListOptions {
  readonly limit: number;
  readonly all?: true;
  readonly cursor?: string;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Null at the end of the list. */
  readonly nextCursor: string | null;
}

/** The API's maximum page size. */
const MAX_PAGE_SIZE = 100;
const DEFAULT_LIMIT = 100;

export function withListOptions(command: Command): Command {
  return command
    .option('--limit <count>', 'Maximum number of items', toCount, DEFAULT_LIMIT)
    .option('--all', 'Show all items')
    .option('--cursor <cursor>', 'Continue a list from its nextCursor');
}

/** @param fields the fields that the API can sort by */
export function createSortOption(...fields: readonly string[]): Option {
  const choices = fields.flatMap((field) => [field, `-${field}`]);
  return new Option('--sort <field>', 'Sort by this field, with a minus sign in descending order').choices(choices);
}

/**
 * Reads as many items as `options` ask for, page by page.
 *
 * @param isWanted an additional filter that `query` cannot express
 * @returns the items, with the other fields of the last page
 */
export async function readList<T, Page extends ListPage<T> = ListPage<T>>(
  api: AdminApi,
  path: string,
  query: Query,
  options: ListOptions,
  isWanted: (item: T) => boolean = () => true,
): Promise<Page> {
  const maxItems = options.all === true ? Infinity : options.limit;
  const items: T[] = [];
  let cursor: string | null | undefined = options.cursor;
  let page: Page;
  do {
    const limit = Math.min(MAX_PAGE_SIZE, maxItems - items.length);
    page = (await api.call<Page>('GET', path, { query: { ...query, limit, cursor: cursor ?? undefined } })).body;
    items.push(...page.items.filter(isWanted));
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < maxItems);
  return { ...page, items };
}

export function readWholeList<T>(api: AdminApi, path: string, query: Query = {}): Promise<ListPage<T>> {
  return readList<T>(api, path, query, { limit: MAX_PAGE_SIZE, all: true });
}

/** Prints a hint if there are more items. */
export function printMoreHint(io: Io, { nextCursor }: { readonly nextCursor: string | null }): void {
  if (nextCursor !== null) io.err('There are more items. Use --all to see all of them.\n');
}
