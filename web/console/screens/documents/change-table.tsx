import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { plural } from '../../../shared/format/number.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { DocumentChange, DocumentComparison } from '../../api/document-comparison.ts';
import { KeyLink } from '../../parts/keys/key-link.tsx';
import parts from '../../parts/parts.module.css';
import styles from './documents.module.css';

/** The number of keys that a row names. Each one needs a request. */
const NAMED_KEYS = 3;

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
          {concernsCallers(change) && (
            <div className={parts.onPhones}>
              <Callers change={change} period={period} />
              {change.callers.lastAt !== null && (
                <div className={parts.muted}>
                  last call <Time at={change.callers.lastAt} />
                </div>
              )}
            </div>
          )}
        </>
      ),
    },
    {
      id: 'callers',
      header: 'Callers',
      width: '34%',
      hideBelow: 'narrow',
      cell: (change) => <Callers change={change} period={period} />,
    },
    {
      id: 'last',
      header: 'Last call',
      width: '132px',
      hideBelow: 'medium',
      cell: (change) =>
        concernsCallers(change) && change.callers.lastAt !== null ? <Time at={change.callers.lastAt} /> : '–',
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

type PeriodSearch = { readonly period: string } | { readonly from: string; readonly to: string };

/** The link shows the same calls on the screen of an operation, which has no longer named period. */
function toPeriod(days: number, from: string): PeriodSearch {
  return days > 90 ? { from, to: new Date().toISOString() } : { period: `${days}d` };
}

const BADGES = {
  breaking: { tone: 'failed', icon: CircleX, label: 'Breaking' },
  warning: { tone: 'refused', icon: TriangleAlert, label: 'Warning' },
  compatible: { tone: 'served', icon: CircleCheck, label: 'Compatible' },
} as const;

function SeverityBadge({ severity }: Pick<DocumentChange, 'severity'>) {
  const { tone, icon, label } = BADGES[severity];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

/** Compatible changes affect no callers. */
function concernsCallers({ severity, operation }: DocumentChange): boolean {
  return severity !== 'compatible' && operation !== null;
}

function Callers({ change, period }: { readonly change: DocumentChange; readonly period: PeriodSearch }) {
  const { operation, callers } = change;
  if (!concernsCallers(change) || operation === null) return <span className={parts.muted}>–</span>;
  const { keys, owners, requests, top } = callers;
  if (requests === 0 && keys === 0) return <span className={parts.muted}>not called</span>;
  const named = top.slice(0, NAMED_KEYS);
  return (
    <>
      <Link
        to="/operations/$id"
        params={{ id: operation.id }}
        search={{ ...period, part: 'callers' }}
        data-row-link
        className={parts.inText}
      >
        {keys === 0
          ? `${plural(requests, 'request')} without a key`
          : `${plural(keys, 'key')} of ${plural(owners, 'owner')}`}
      </Link>
      {named.length > 0 && (
        <ul className={styles.keys}>
          {named.map(({ key }) => (
            <li key={key}>
              <KeyLink id={key} withOwner />
            </li>
          ))}
          {keys > named.length && <li className={parts.muted}>{`and ${keys - named.length} more`}</li>}
        </ul>
      )}
    </>
  );
}
