import { type Expression, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { decodePosition, decodeSequence, type Page, toPage, type PageRequest, formatSortPosition } from './paging.ts';
import type { Tables } from './tables.ts';

/** The order of a list. Rows with equal values are sorted by their sequence, so that the order is total. */

export interface Order<Sort extends string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** An expression to sort by. It needs an index that also includes the sequence. */
export interface SortValue {
  readonly value: RawBuilder<string | number>;
  readonly isNumber?: boolean;
}

interface SortedList<Sort extends string> {
  /** The name of the list in its cursors. */
  readonly list: string;
  readonly order: Order<Sort>;
  /** The expression for each order; null for the sequence itself. */
  readonly values: Readonly<Record<Sort, SortValue | null>>;
}

/**
 * Reads a page of sorted rows. While someone pages through the list, no row is repeated or skipped unless its sort
 * value changes.
 */
export function readSortedPage<
  Table extends keyof Tables,
  Row extends { readonly sequence: number },
  Item,
  By extends string,
>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { list, order, values }: SortedList<By>,
  page: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const by = values[order.by];
  if (by === null)
    return readPageBySequence(query, order.descending ? list : `-${list}`, order.descending, page, toItem);
  return readPageByValue(
    query,
    `${list} ${order.descending ? '-' : ''}${order.by}`,
    by,
    order.descending,
    page,
    toItem,
  );
}

async function readPageBySequence<Table extends keyof Tables, Row extends { readonly sequence: number }, Item>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  list: string,
  descending: boolean,
  { limit, cursor }: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const sequence = sql.ref<number>('sequence');
  let pageQuery = query;
  if (cursor !== undefined) {
    const last = decodeSequence(list, cursor);
    pageQuery = pageQuery.where(descending ? sql<SqlBool>`${sequence} < ${last}` : sql<SqlBool>`${sequence} > ${last}`);
  }
  const rows = await pageQuery
    .orderBy(sequence, descending ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  return toPage(list, rows as Row[], limit, (row) => row.sequence, toItem);
}

async function readPageByValue<Table extends keyof Tables, Row extends { readonly sequence: number }, Item>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  list: string,
  { value, isNumber = false }: SortValue,
  descending: boolean,
  { limit, cursor }: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const direction = descending ? 'desc' : 'asc';
  let pageQuery = query.select(value.as('sort_value'));
  if (cursor !== undefined)
    pageQuery = pageQuery.where(isAfter(value, decodePosition(list, cursor, isNumber), descending));
  const rows = await pageQuery
    .orderBy(value, direction)
    .orderBy(sql.ref('sequence'), direction)
    .limit(limit + 1)
    .execute();
  return toPage(
    list,
    rows as (Row & { readonly sort_value: string | number })[],
    limit,
    (row) => formatSortPosition(row.sort_value, row.sequence),
    toItem,
  );
}

/** A condition for rows that come after a position. It has two parts so that both databases use the index. */
export function isAfter(
  value: RawBuilder<string | number>,
  last: { readonly value: string | number; readonly sequence: number },
  descending: boolean,
): Expression<SqlBool> {
  const operator = descending ? '<' : '>';
  const [beyond, from] = [sql.raw(operator), sql.raw(`${operator}=`)];
  return sql<SqlBool>`(${value} ${from} ${last.value} AND (${value} ${beyond} ${last.value} OR sequence ${beyond} ${last.sequence}))`;
}
