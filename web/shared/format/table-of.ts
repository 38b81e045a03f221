/** A table for looking up external names: a plain object would find `constructor` and `toString`, too. */
export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
