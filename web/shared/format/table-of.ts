/**
 * Creates a table for looking up names that come from outside. A plain object would also find `constructor` and
 * `toString`.
 */
export function createTable<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
