import { Table2 } from 'lucide-react';
import { useState } from 'react';
import { type Column, DataTable } from '../ui/data/data-table.tsx';
import styles from './traffic.module.css';

interface Props<Row> {
  /** The label of the control that opens the table. */
  readonly summary: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Creates the rows. Called when the table is opened. */
  readonly rows: () => readonly Row[];
}

/** Shows the numbers of a chart as a table, which opens below the chart. */
export function ChartTable<Row extends { readonly atMs: number }>({ summary, caption, columns, rows }: Props<Row>) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Table2 size={14} aria-hidden />
        {summary}
      </summary>
      {open && <DataTable caption={caption} columns={columns} rows={rows()} rowId={({ atMs }) => String(atMs)} />}
    </details>
  );
}
