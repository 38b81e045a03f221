/** Functions that find the value by which each column sorts, by `sortKey`. For tables that are loaded completely. */
export type SortValues<Row> = Readonly<Record<string, (row: Row) => string | number | null | undefined>>;

/**
 * Sorts rows by the column that `sort` names. A minus sign in front means descending order. Rows without a value come
 * last.
 */
export function sortRows<Row>(rows: readonly Row[], values: SortValues<Row>, sort: string): readonly Row[] {
  const descending = sort.startsWith('-');
  const valueOf = Object.hasOwn(values, sort.slice(descending ? 1 : 0)) ? values[sort.slice(descending ? 1 : 0)] : undefined;
  if (valueOf === undefined) return rows;
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one == null || other == null) return Number(one == null) - Number(other == null);
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * String(one).localeCompare(String(other), 'en', { numeric: true });
  });
}
