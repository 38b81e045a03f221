import { Table2 } from 'lucide-react';
import { useState } from 'react';
import { count, milliseconds } from '../format/number.ts';
import { type Column, DataTable } from '../ui/data/data-table.tsx';
import { Time } from '../ui/data/time.tsx';
import styles from './traffic.module.css';
import type { TrafficPoints } from './traffic-points.ts';

interface Row {
  readonly atMs: number;
  readonly served: number;
  readonly refused: number;
  readonly errors: number;
  readonly clientErrors: number;
  readonly p95Ms: number | null;
}

const TIME: Column<Row> = { id: 'at', header: 'From', cell: ({ atMs }) => <Time at={atMs} /> };
/** Days are UTC: as a local time, one would begin on the previous day in western time zones. */
const DAY: Column<Row> = {
  id: 'at',
  header: 'Day (UTC)',
  cell: ({ atMs }) => new Date(atMs).toISOString().slice(0, 10),
};

const FIGURES: readonly Column<Row>[] = [
  { id: 'served', header: 'Served', numeric: true, cell: ({ served }) => count(served) },
  { id: 'refused', header: 'Refused', numeric: true, cell: ({ refused }) => count(refused) },
  { id: 'clientErrors', header: '4xx', numeric: true, cell: ({ clientErrors }) => count(clientErrors) },
  { id: 'errors', header: 'Errors', numeric: true, cell: ({ errors }) => count(errors) },
  { id: 'p95', header: 'p95', numeric: true, cell: ({ p95Ms }) => (p95Ms === null ? '–' : milliseconds(p95Ms)) },
];

/** The numbers of the charts, newest first: a canvas says nothing to those who do not see it. */
export function TrafficTable({ points, every }: { readonly points: TrafficPoints; readonly every: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Table2 size={14} aria-hidden />
        Figures per {every}
      </summary>
      {open && (
        <DataTable
          caption={`Traffic by ${every}, newest first`}
          columns={[every === 'day' ? DAY : TIME, ...FIGURES]}
          rows={rowsOf(points)}
          rowId={({ atMs }) => String(atMs)}
        />
      )}
    </details>
  );
}

function rowsOf({ at, served, refused, errors, clientErrors, p95Ms }: TrafficPoints): Row[] {
  return at
    .map((seconds, index) => ({
      atMs: seconds * 1000,
      served: served[index] ?? 0,
      refused: refused[index] ?? 0,
      errors: errors[index] ?? 0,
      clientErrors: clientErrors[index] ?? 0,
      p95Ms: p95Ms[index] ?? null,
    }))
    .toReversed();
}
