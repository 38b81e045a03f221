import { type Expression, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { decodePosition, decodeSequence, type Page, toPage, type PageRequest, positionIn } from './paging.ts';
import type { Tables } from './tables.ts';

/** Pages of sorted rows. Rows with the same value are sorted by their sequence, so that the order is total. */

export interface Order<Sort extends string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** A value to sort by. Its index also includes the sequence. */
export interface SortValue {
  readonly value: RawBuilder<string | number>;
  readonly isNumber?: boolean;
}

interface Sorted<Sort extends string> {
  /** The name of the list in its cursors. */
  readonly list: string;
  readonly order: Order<Sort>;
  /** Null: sorted by the sequence itself. */
  readonly values: Readonly<Record<Sort, SortValue | null>>;
}

/** A page of sorted rows. Pages neither repeat nor skip a row that existed all along, unless its sort value changes. */
export function sortedPage<
  Table extends keyof Tables,
  Row extends { readonly sequence: number },
  Item,
  By extends string,
>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { list, order, values }: Sorted<By>,
  page: PageRequest,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const by = values[order.by];
  if (by === null) return inSequence(query, order.descending ? list : `-${list}`, order.descending, page, itemOf);
  return byValue(query, `${list} ${order.descending ? '-' : ''}${order.by}`, by, order.descending, page, itemOf);
}

async function inSequence<Table extends keyof Tables, Row extends { readonly sequence: number }, Item>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  list: string,
  descending: boolean,
  { limit, cursor }: PageRequest,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const sequence = sql.ref<number>('sequence');
  let rest = query;
  if (cursor !== undefined) {
    const last = decodeSequence(list, cursor);
    rest = rest.where(descending ? sql<SqlBool>`${sequence} < ${last}` : sql<SqlBool>`${sequence} > ${last}`);
  }
  const rows = await rest
    .orderBy(sequence, descending ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  return toPage(list, rows as Row[], limit, (row) => row.sequence, itemOf);
}

async function byValue<Table extends keyof Tables, Row extends { readonly sequence: number }, Item>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  list: string,
  { value, isNumber = false }: SortValue,
  descending: boolean,
  { limit, cursor }: PageRequest,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const direction = descending ? 'desc' : 'asc';
  let rest = query.select(value.as('sort_value'));
  if (cursor !== undefined) rest = rest.where(isAfter(value, decodePosition(list, cursor, isNumber), descending));
  const rows = await rest
    .orderBy(value, direction)
    .orderBy(sql.ref('sequence'), direction)
    .limit(limit + 1)
    .execute();
  return toPage(
    list,
    rows as (Row & { readonly sort_value: string | number })[],
    limit,
    (row) => positionIn(row.sort_value, row.sequence),
    itemOf,
  );
}

/** Whether a row comes after another one. The condition has two parts so that both databases use the index. */
export function isAfter(
  value: RawBuilder<string | number>,
  last: { readonly value: string | number; readonly sequence: number },
  descending: boolean,
): Expression<SqlBool> {
  const typed = descending ? '<' : '>';
  const [beyond, from] = [sql.raw(typed), sql.raw(`${typed}=`)];
  return sql<SqlBool>`(${value} ${from} ${last.value} AND (${value} ${beyond} ${last.value} OR sequence ${beyond} ${last.sequence}))`;
}
