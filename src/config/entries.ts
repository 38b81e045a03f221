/** The entries of a value that may not be a list, and may hold anything. */
export function entriesOf(list: unknown): Record<string, unknown>[] {
  return (Array.isArray(list) ? list : []).map((entry) => ({ ...Object(entry) }));
}

/** The entries of a list that have the same text in a field as an earlier one. */
export function repeated(list: unknown, field: string): { index: number; value: string }[] {
  const seen = new Set<string>();
  return entriesOf(list).flatMap(({ [field]: value }, index) => {
    if (typeof value !== 'string') return [];
    if (seen.has(value)) return [{ index, value }];
    seen.add(value);
    return [];
  });
}
