import { invalidField } from './errors.ts';
import { parseInt64 } from './int64.ts';
import type { Reply } from './operation.ts';

/** The query parameters of every list. */
export interface PageQuery {
  limit: bigint;
  cursor?: string;
}

/** The page to fetch: at most `limit` entries with ids above `after`. */
export interface Page {
  after: bigint | undefined;
  limit: bigint;
}

export interface List<Row> {
  name: string;
  path: string;
  getId: (row: Row) => bigint;
  /** Formats an entry as JSON. */
  format: (row: Row) => string;
}

/**
 * Reads `limit` and `cursor`. A cursor holds the name of the list and the last id of the previous page. Pages are ordered
 * by ascending id, and ids only grow and are never reused. So no entry appears twice, and no entry is missed unless it was
 * deleted.
 */
export function readPage({ name }: { name: string }, { limit, cursor }: PageQuery): Page {
  return { limit, after: cursor === undefined ? undefined : decodeCursor(name, cursor) };
}

/** The number of entries to fetch: one more than the limit, to find out whether there is a next page. */
export const getFetchSize = (page: Page): bigint => page.limit + 1n;

/** The reply with a page of a list; `rows` has up to {@link getFetchSize} entries. */
export function createPageReply<Row>(list: List<Row>, query: PageQuery, rows: readonly Row[]): Reply {
  const pageRows = rows.slice(0, Number(query.limit));
  const body = `[${pageRows.map(list.format).join()}]`;
  const last = pageRows.at(-1);
  if (last === undefined || rows.length === pageRows.length) return { status: 200, body };
  const nextPageParameters = formatNextQuery(query, encodeCursor(list.name, list.getId(last)));
  return { status: 200, body, headers: { Link: `<${list.path}?${nextPageParameters}>; rel="next"` } };
}

function formatNextQuery(query: PageQuery, cursor: string): string {
  const nextPageParameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    for (const one of [value].flat()) nextPageParameters.append(name, String(one));
  }
  return nextPageParameters.toString();
}

const encodeCursor = (list: string, id: bigint): string => Buffer.from(`${id}:${list}`).toString('base64url');

function decodeCursor(list: string, cursor: string): bigint {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = parseInt64(text.slice(0, -list.length - 1));
  if (id === undefined || encodeCursor(list, id) !== cursor) {
    throw invalidField('/query/cursor', 'must come unchanged from the rel="next" link of the page before');
  }
  return id;
}
