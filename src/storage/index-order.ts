import { type SqlBool, sql } from 'kysely';

/**
 * Compares with a range instead of an equality, for rows in the order of this column and their sequence. With a range,
 * PostgreSQL reads the index on both columns. With an equality that it expects to match many rows, PostgreSQL reads the
 * whole table in the order of the sequence until it has enough rows. That can take millions of rows.
 */
export function isExactly(column: string, value: string) {
  return sql<SqlBool>`${sql.ref(column)} BETWEEN ${value} AND ${value}`;
}
