import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/**
 * Selects the newest rows of a table by conditions, such as `{ 'owner =': 'acme' }`; undefined ones do not count. The
 * statement of each combination is prepared once, so that each is planned with the index that fits it.
 */
export function selectNewest(sqlite: DatabaseSync, table: 'keys' | 'audit') {
  const statements = new Map<string, StatementSync>();
  return (conditions: Readonly<Record<string, string | number | undefined>>, limit: number): unknown[] => {
    const terms: string[] = [];
    const values: SQLInputValue[] = [];
    for (const [condition, value] of Object.entries(conditions)) {
      if (value === undefined) continue;
      terms.push(`${condition} ?`);
      values.push(value);
    }
    const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
    const sql = `SELECT * FROM ${table} ${where} ORDER BY sequence DESC LIMIT ?`;
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = sqlite.prepare(sql);
      statements.set(sql, statement);
    }
    return statement.all(...values, limit);
  };
}
