import { useMemo } from 'react';
import { type Column, DataTable, type DataTableProps } from '../../shared/ui/data/data-table.tsx';
import { columnWidth } from './column-width.ts';

/** The most that a column takes of its table for its longest text, in percent. */
const MAX_SHARE = 22;

/** A table whose columns of text are as wide as their longest one. The columns without a width share the rest. */
export function FittedTable<Row>({ columns, ...table }: DataTableProps<Row>) {
  const { rows } = table;
  const fitted = useMemo(() => columns.map((column) => fittedTo(rows, column)), [columns, rows]);
  return <DataTable {...table} columns={fitted} />;
}

function fittedTo<Row>(rows: readonly Row[], column: Column<Row>): Column<Row> {
  const { text, header } = column;
  if (text === undefined) return column;
  return { ...column, width: columnWidth(typeof header === 'string' ? header : '', rows.map(text), MAX_SHARE) };
}
