import { useCallback, useMemo, useState } from 'react';
import type { Selection } from './data-table.tsx';

/** The selection of a table. Selected rows that no longer exist are left out. */
export function useSelection<Row>(rows: readonly Row[], idOf: (row: Row) => string) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const items = useMemo(() => rows.filter((row) => chosen.has(idOf(row))), [rows, chosen, idOf]);
  const ids = useMemo(() => new Set(items.map(idOf)), [items, idOf]);
  const toggle = useCallback((id: string) => setChosen((before) => before.symmetricDifference(new Set([id]))), []);
  const toggleAll = useCallback(
    () => setChosen(ids.size === rows.length ? new Set() : new Set(rows.map(idOf))),
    [ids.size, rows, idOf],
  );
  const clear = useCallback(() => setChosen(new Set()), []);
  return { ids, items, toggle, toggleAll, clear } satisfies Selection & { items: readonly Row[]; clear: () => void };
}
