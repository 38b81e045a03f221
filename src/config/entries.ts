/** The entries of a value that may not be a list, and may hold anything. */
export function entriesOf(list: unknown): Record<string, unknown>[] {
  return (Array.isArray(list) ? list : []).map((entry) => ({ ...Object(entry) }));
}

/** The entries of a list that have the same value in a field as an earlier one. */
export function repeated(list: unknown, field: string): { index: number; value: unknown }[] {
  const values = entriesOf(list).map((entry) => entry[field]);
  return values
    .map((value, index) => ({ index, value }))
    .filter(({ index, value }) => value !== undefined && values.indexOf(value) < index);
}
