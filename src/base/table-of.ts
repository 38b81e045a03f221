/**
 * Creates a table in which external names can be looked up. In a plain object, `constructor` and `toString` would be
 * found, too.
 */
export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
