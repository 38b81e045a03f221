import { Link } from '@tanstack/react-router';
import { pluralize } from '../../../shared/format/number.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { DocumentChange } from '../../api/document-comparison.ts';
import { KeyLink } from '../keys/key-link.tsx';
import parts from '../parts.module.css';
import styles from './change-callers.module.css';

/** The number of keys that a row names. It is small, because each name needs a request. */
const NAMED_KEYS = 3;

/** A change of one operation in a new document. */
export interface OperationChange {
  readonly severity: DocumentChange['severity'];
  readonly operation: { readonly id: string } | null;
  readonly callers: DocumentChange['callers'];
}

export type PeriodSearch = { readonly period: string } | { readonly from: string; readonly to: string };

interface Props {
  readonly change: OperationChange;
  readonly period: PeriodSearch;
}

/** Names the callers of a changed operation, unless the change is compatible and therefore affects no callers. */
export function ChangeCallers({ change, period }: Props) {
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
          ? `${pluralize(requests, 'request')} without a key`
          : `${pluralize(keys, 'key')} of ${pluralize(owners, 'owner')}`}
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

export function LastCall({ change }: { readonly change: OperationChange }) {
  const { lastAt } = change.callers;
  return concernsCallers(change) && lastAt !== null ? <Time at={lastAt} /> : '–';
}

/** Shows the callers and the last call below the change. For narrow screens, whose table has no columns for them. */
export function CallersOnPhones({ change, period }: Props) {
  if (!concernsCallers(change)) return null;
  return (
    <div className={parts.onPhones}>
      <ChangeCallers change={change} period={period} />
      {change.callers.lastAt !== null && (
        <div className={parts.muted}>
          last call <Time at={change.callers.lastAt} />
        </div>
      )}
    </div>
  );
}

/** Compatible changes affect no callers. */
function concernsCallers({ severity, operation }: OperationChange): boolean {
  return severity !== 'compatible' && operation !== null;
}
