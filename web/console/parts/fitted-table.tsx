import { useEffect, useMemo, useState } from 'react';
import { type Column, DataTable, type DataTableProps } from '../../shared/ui/data/data-table.tsx';
import { computeColumnWidth } from './column-width.ts';

/** The maximum width of a column of text, in percent of the table. */
const MAX_SHARE = 22;

/** A table whose text columns are as wide as their longest text. The columns without a width share the rest. */
export function FittedTable<Row>({ columns, ...table }: DataTableProps<Row>) {
  const { rows } = table;
  const fonts = useFonts();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- texts have another width in another font
  const fitted = useMemo(() => columns.map((column) => fittedTo(rows, column)), [columns, rows, fonts]);
  return <DataTable {...table} columns={fitted} />;
}

/** Returns a number that changes when fonts have loaded, because rows may be rendered before. */
function useFonts(): number {
  const [arrivals, setArrivals] = useState(0);
  useEffect(() => {
    const onArrival = () => setArrivals((before) => before + 1);
    document.fonts.addEventListener('loadingdone', onArrival);
    return () => document.fonts.removeEventListener('loadingdone', onArrival);
  }, []);
  return arrivals;
}

function fittedTo<Row>(rows: readonly Row[], column: Column<Row>): Column<Row> {
  const { text, header } = column;
  if (text === undefined) return column;
  return { ...column, width: computeColumnWidth(typeof header === 'string' ? header : '', rows.map(text), MAX_SHARE) };
}
