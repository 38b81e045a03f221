import { type Expression, sql, type SqlBool } from 'kysely';

/**
 * Searches columns for a text, ignoring case. The database itself converts both sides to lower case, because databases
 * differ in how they convert letters outside ASCII.
 */
export function createSearchCondition(columns: readonly string[], part: string): Expression<SqlBool> {
  const pattern = `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const matches = columns.map(
    (column) => sql`lower(${sql.ref(column)}) LIKE lower(CAST(${pattern} AS TEXT)) ESCAPE '\\'`,
  );
  return sql<SqlBool>`(${sql.join(matches, sql` OR `)})`;
}
