import { type SqlBool, sql } from 'kysely';

/**
 * Tests for equality, but written as a range, for a query that sorts by this column and `sequence`. With a range,
 * PostgreSQL uses the index on both columns. With an equality that it expects to match many rows, it may instead read
 * the table in the order of `sequence` until it has enough rows, which can mean millions of rows.
 */
export function isExactly(column: string, value: string) {
  return sql<SqlBool>`${sql.ref(column)} BETWEEN ${value} AND ${value}`;
}
