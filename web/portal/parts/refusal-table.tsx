import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pluralize } from '../../shared/format/number.ts';
import { createRefusalId, foldByKey, type FoldedRefusal, formatCall } from '../../shared/traffic/folded-refusals.ts';
import { Button } from '../../shared/ui/controls/button.tsx';
import { type Column, DataTable } from '../../shared/ui/data/data-table.tsx';
import { Time } from '../../shared/ui/data/time.tsx';
import { keysQuery, formatKeyLabel } from '../api/keys.ts';
import type { RecentRefusal } from '../api/refusals.ts';
import { operationsOf } from '../reference/model/reference.ts';
import { referenceQuery } from './reference-query.ts';
import styles from './refusal-table.module.css';

type Row = FoldedRefusal<RecentRefusal>;

const createColumns = (onExpand: (row: Row) => void): readonly Column<Row>[] => [
  { id: 'call', header: 'Request', cell: (refusal) => <Call refusal={refusal} onExpand={() => onExpand(refusal)} /> },
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

interface Props {
  readonly refusals: readonly RecentRefusal[];
  /** The number of rows that are shown. */
  readonly maxRows?: number;
}

/**
 * Lists refused requests with their causes. Each links to its explanation. Refusals of one call with one key for one
 * reason are one row until the reader expands it.
 */
export function RefusalTable({ refusals, maxRows = Infinity }: Props) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const rows = foldByKey(refusals)
    .slice(0, maxRows)
    .flatMap((row) => (expanded.has(formatCall(row)) ? unfold(row) : [row]));
  const expand = (row: Row) => setExpanded(new Set(expanded).add(formatCall(row)));
  return (
    <DataTable
      caption="Refused requests, newest first"
      columns={createColumns(expand)}
      rows={rows}
      rowId={createRefusalId}
    />
  );
}

function unfold(row: Row): readonly Row[] {
  return [row, ...row.older].map((each) => ({ ...each, older: [] }));
}

function KeyName({ id }: { readonly id: string }) {
  const key = useQuery(keysQuery).data?.items.find((one) => one.id === id);
  return key !== undefined && <bdi>{formatKeyLabel(key)}</bdi>;
}

interface CallProps {
  readonly refusal: Row;
  readonly onExpand: () => void;
}

function Call({ refusal: { requestId, method, operation, path, status, cause, older }, onExpand }: CallProps) {
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
      {older.length > 0 && (
        <Button kind="quiet" onClick={onExpand}>
          Show {pluralize(older.length, 'earlier refusal')} like this
        </Button>
      )}
    </>
  );
}
