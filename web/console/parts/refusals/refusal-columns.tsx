import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pluralize } from '../../../shared/format/number.ts';
import { formatExactTime, formatUtcTime } from '../../../shared/format/time.ts';
import { BreakableCode } from '../../../shared/ui/data/breakable-code.tsx';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { useNow } from '../../../shared/ui/data/time.tsx';
import type { ListedRefusal, RefusalFilters } from '../../api/history/history.ts';
import { operationsQuery } from '../../api/operations.ts';
import { KeyLink } from '../keys/key-link.tsx';
import { OwnerLink } from '../owner-link.tsx';
import styles from '../parts.module.css';

/** A row for several similar refusals, with the data of the latest. */
export interface RefusalRow extends ListedRefusal {
  /** The number of similar refusals without the latest. */
  readonly alike: number;
  /** The time of the earliest similar refusal. */
  readonly since: string;
}

/** Folds consecutive refusals that differ only in their time. */
export function foldNeighbors(refusals: readonly ListedRefusal[]): readonly RefusalRow[] {
  const rows: RefusalRow[] = [];
  for (const refusal of refusals) {
    const last = rows.at(-1);
    if (last !== undefined && isAlike(last, refusal)) rows[rows.length - 1] = withOlder(last, refusal);
    else rows.push({ ...refusal, alike: 0, since: refusal.at });
  }
  return rows;
}

/**
 * Folds all refusals of the same call with the same key for the same reason.
 *
 * @param refusals newest first
 */
export function foldByKey(refusals: readonly ListedRefusal[]): readonly RefusalRow[] {
  const rows = new Map<string, RefusalRow>();
  for (const refusal of refusals) {
    const { keyId, code, method, operation, path } = refusal;
    const call = JSON.stringify([keyId, code, operation ?? `${method} ${path}`]);
    const row = rows.get(call);
    rows.set(call, row === undefined ? { ...refusal, alike: 0, since: refusal.at } : withOlder(row, refusal));
  }
  return [...rows.values()];
}

function withOlder(row: RefusalRow, { at }: ListedRefusal): RefusalRow {
  return { ...row, alike: row.alike + 1, since: at };
}

function isAlike(one: ListedRefusal, other: ListedRefusal): boolean {
  const facts = ['keyId', 'cause', 'code', 'operation', 'path'] as const;
  return facts.every((fact) => one[fact] === other[fact]);
}

export function createRowId({ requestId, keyId, at }: RefusalRow): string {
  return `${requestId} ${keyId} ${at}`;
}

export const codeColumn: Column<RefusalRow> = {
  id: 'code',
  header: 'Refused with',
  width: '200px',
  hideBelow: 'medium',
  cell: (refusal) => <Code refusal={refusal} />,
};

export const timeColumn: Column<RefusalRow> = {
  id: 'at',
  header: 'Time (UTC)',
  width: '156px',
  cell: ({ at }) => <UtcTime at={at} />,
};

/** Creates the columns of the list of refusals. On a phone, one column contains everything. */
export const createListColumns = (filters: RefusalFilters): readonly Column<RefusalRow>[] => [
  {
    id: 'call',
    header: 'Request',
    cell: (refusal) => (
      <>
        <Call refusal={refusal} filters={filters} />
        <div className={styles.onPhones}>
          <Code refusal={refusal} />
          <div>
            <KeyOf refusal={refusal} /> · <OwnerOf refusal={refusal} /> · <UtcTime at={refusal.at} />
          </div>
        </div>
      </>
    ),
  },
  { ...codeColumn, hideBelow: 'narrow' },
  {
    id: 'key',
    header: 'Key',
    width: '22%',
    hideBelow: 'narrow',
    cell: (refusal) => (
      <>
        <KeyOf refusal={refusal} /> · <OwnerOf refusal={refusal} />
      </>
    ),
  },
  { ...timeColumn, hideBelow: 'narrow' },
];

interface CallProps {
  readonly refusal: RefusalRow;
  /** The filters of the list. The explanation leads back to it. */
  readonly filters: RefusalFilters;
}

/** Shows the method, path and cause of a refused call. A click opens the explanation. */
export function Call({ refusal, filters }: CallProps) {
  const { requestId, keyId, code, method, operation, path, cause, alike, since } = refusal;
  const known = useQuery(operationsQuery).data?.find(({ id }) => id === operation);
  return (
    <>
      <Link
        to="/requests"
        search={{ ...filters, id: requestId }}
        className={styles.name}
        data-row-link
        title={requestId}
      >
        {known === undefined ? (
          <code>
            <bdi>{operation ?? `${method} ${path}`}</bdi>
          </code>
        ) : (
          <code>{`${known.method} ${known.path}`}</code>
        )}
      </Link>
      <bdi className={styles.below}>{cause}</bdi>
      {alike > 0 && (
        <Link to="/requests" search={{ key: keyId, code, operation: operation ?? undefined }} className={styles.below}>
          {pluralize(alike, 'more refusal')} like this since <UtcTime at={since} />
        </Link>
      )}
    </>
  );
}

function Code({ refusal: { status, code } }: { readonly refusal: RefusalRow }) {
  return (
    <>
      {status}{' '}
      <code>
        <BreakableCode text={code} />
      </code>
    </>
  );
}

function KeyOf({ refusal: { keyId, keyName } }: { readonly refusal: RefusalRow }) {
  return <KeyLink id={keyId} name={keyName ?? undefined} />;
}

function OwnerOf({ refusal: { owner, account } }: { readonly refusal: RefusalRow }) {
  return owner === null ? 'unknown owner' : <OwnerLink owner={owner} account={account} />;
}

function UtcTime({ at }: { readonly at: string }) {
  const today = new Date(useNow()).toISOString();
  return (
    <time dateTime={at} title={formatExactTime(Date.parse(at))}>
      {formatUtcTime(at, today)}
    </time>
  );
}
