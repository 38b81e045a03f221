import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pluralize } from '../../../shared/format/number.ts';
import { formatExactTime, formatUtcTime } from '../../../shared/format/time.ts';
import type { FoldedRefusal } from '../../../shared/traffic/folded-refusals.ts';
import { BreakableCode } from '../../../shared/ui/data/breakable-code.tsx';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { useNow } from '../../../shared/ui/data/time.tsx';
import type { ListedRefusal, RefusalFilters } from '../../api/history/history.ts';
import { operationsQuery } from '../../api/operations.ts';
import { KeyLink } from '../keys/key-link.tsx';
import { OwnerLink } from '../owner-link.tsx';
import styles from '../parts.module.css';

export type RefusalRow = FoldedRefusal<ListedRefusal>;

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
  const { requestId, keyId, code, method, operation, path, cause, older } = refusal;
  const oldest = older.at(-1);
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
      {oldest !== undefined && (
        <Link to="/requests" search={{ key: keyId, code, operation: operation ?? undefined }} className={styles.below}>
          {pluralize(older.length, 'more refusal')} like this since <UtcTime at={oldest.at} />
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
