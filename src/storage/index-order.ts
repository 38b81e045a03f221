import { type SqlBool, sql } from 'kysely';

/**
 * Equality as a range, for rows in the order of this column and their sequence: with it, PostgreSQL reads the index on
 * both. Otherwise, if it expects the value to be common, it reads the whole table in the order of the sequence until it
 * has found enough rows, which may be millions later.
 */
export function isExactly(column: string, value: string) {
  return sql<SqlBool>`${sql.ref(column)} BETWEEN ${value} AND ${value}`;
}
