import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../shared/ui/data/data-table.tsx';
import { Time } from '../../shared/ui/data/time.tsx';
import { keysQuery, formatKeyLabel } from '../api/keys.ts';
import type { RecentRefusal } from '../api/refusals.ts';
import { operationsOf } from '../reference/model/reference.ts';
import { referenceQuery } from './reference-query.ts';
import styles from './refusal-table.module.css';

const columns: readonly Column<RecentRefusal>[] = [
  { id: 'call', header: 'Request', cell: (refusal) => <Call refusal={refusal} /> },
  { id: 'key', header: 'Key', width: '184px', hideBelow: 'medium', cell: ({ keyId }) => <KeyName id={keyId} /> },
  {
    id: 'code',
    header: 'Refused with',
    width: '210px',
    hideBelow: 'wide',
    cell: ({ status, code }) => (
      <>
        {status} <code>{code}</code>
      </>
    ),
  },
  { id: 'at', header: 'When', width: '142px', cell: ({ at }) => <Time at={at} /> },
];

/** Lists refused requests with their causes. Each links to its explanation. */
export function RefusalTable({ refusals }: { readonly refusals: readonly RecentRefusal[] }) {
  return (
    <DataTable
      caption="Refused requests, newest first"
      columns={columns}
      rows={refusals}
      rowId={({ requestId, at, keyId }) => `${requestId} ${at} ${keyId}`}
    />
  );
}

function KeyName({ id }: { readonly id: string }) {
  const key = useQuery(keysQuery).data?.items.find((one) => one.id === id);
  return key !== undefined && <bdi>{formatKeyLabel(key)}</bdi>;
}

function Call({ refusal: { requestId, method, operation, path, status, cause } }: { readonly refusal: RecentRefusal }) {
  const reference = useQuery(referenceQuery).data;
  const known = reference && operationsOf(reference).find(({ id }) => id === operation);
  const address = known === undefined ? `${method} ${path}` : `${known.method} ${known.path}`;
  return (
    <>
      <Link to="/requests" search={{ id: requestId }} className={styles.call} data-row-link title={requestId}>
        <bdi>{known === undefined && operation !== null ? operation : address}</bdi>
      </Link>
      <div className={styles.cause}>
        <span className={styles.status}>{status} · </span>
        <bdi>{cause}</bdi>
      </div>
    </>
  );
}
