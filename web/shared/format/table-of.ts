/** A table for looking up external names. A plain object would also find `constructor` and `toString`. */
export function createTable<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
