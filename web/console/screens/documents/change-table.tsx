import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import type { DocumentChange, DocumentComparison } from '../../api/document-comparison.ts';
import { CallersOnPhones, ChangeCallers, LastCall, type PeriodSearch } from '../../parts/changes/change-callers.tsx';
import { SeverityBadge } from '../../parts/changes/severity-badge.tsx';
import parts from '../../parts/parts.module.css';
import styles from './documents.module.css';

interface Props {
  readonly result: DocumentComparison;
  readonly days: number;
}

export function ChangeTable({ result, days }: Props) {
  const period = toPeriod(days, result.from);
  const columns: readonly Column<DocumentChange>[] = [
    {
      id: 'severity',
      header: 'Severity',
      width: '132px',
      hideBelow: 'narrow',
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'change',
      header: 'Change',
      cell: (change) => (
        <>
          <div className={parts.onPhones}>
            <SeverityBadge severity={change.severity} />
          </div>
          <div className={styles.message} title={change.pointer}>
            {change.message}
          </div>
          <CallersOnPhones change={change} period={period} />
        </>
      ),
    },
    {
      id: 'callers',
      header: 'Callers',
      width: '34%',
      hideBelow: 'narrow',
      cell: (change) => <ChangeCallers change={change} period={period} />,
    },
    {
      id: 'last',
      header: 'Last call',
      width: '132px',
      hideBelow: 'medium',
      cell: (change) => <LastCall change={change} />,
    },
  ];
  return (
    <DataTable
      caption="Changes, the most severe ones first"
      columns={columns}
      rows={result.changes}
      rowId={({ operation, kind, pointer, message }) => `${operation?.id} ${kind} ${pointer} ${message}`}
    />
  );
}

/**
 * Translates the compared days for the screen of an operation, which should show the same calls. It has no named period
 * longer than 90 days.
 */
function toPeriod(days: number, from: string): PeriodSearch {
  return days > 90 ? { from, to: new Date().toISOString() } : { period: `${days}d` };
}
