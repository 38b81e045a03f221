import { formatKeyPreview } from '../../../shared/format/key-preview.ts';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatCount } from '../../../shared/format/number.ts';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { Meter } from '../../../shared/ui/data/meter.tsx';
import { OneLine } from '../../../shared/ui/data/one-line.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { ListedKey } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import { KeyState } from '../../../shared/ui/data/key-state.tsx';
import { OwnerLink } from '../owner-link.tsx';
import { PlanNames, usePlanNames } from '../plan-link.tsx';
import styles from './key-columns.module.css';
import { KeySecret } from './key-secret.tsx';

/** @param withExpiry also shows when each key expires */
export function useKeyColumns(withExpiry = false): readonly Column<ListedKey>[] {
  const planName = usePlanNames();
  return useMemo(() => {
    const columns = columnsWith(planName);
    return withExpiry ? [...columns.flatMap(besideExpiry), expiry] : columns;
  }, [planName, withExpiry]);
}

const columnsWith = (planName: (id: string) => string): readonly Column<ListedKey>[] => [
  { id: 'name', header: 'Name', sortKey: 'name', cell: (key) => <NameCell apiKey={key} /> },
  {
    id: 'status',
    header: 'Status',
    sortKey: 'status',
    width: '148px',
    cell: (key) => <StateCell apiKey={key} />,
  },
  {
    id: 'owner',
    header: 'Owner',
    sortKey: 'owner',
    hideBelow: 'narrow',
    text: findOwnerName,
    cell: ({ owner, account }) => <OwnerLink owner={owner} account={account ?? null} />,
  },
  {
    id: 'plan',
    header: 'Plan',
    sortKey: 'plan',
    hideBelow: 'narrow',
    text: ({ plan }) => planName(plan),
    cell: ({ plan }) => <bdi>{planName(plan)}</bdi>,
  },
  {
    id: 'today',
    header: 'Today',
    orderNote:
      'Keys cannot be sorted by counters, which change with every request. The screen Owners shows who calls most.',
    hideBelow: 'wide',
    width: '124px',
    cell: (key) => <TodayCell apiKey={key} />,
  },
  {
    id: 'used',
    header: 'Last used',
    sortKey: 'lastUsedAt',
    descendsFirst: true,
    hideBelow: 'narrow',
    width: '124px',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className={styles.muted}>never</span> : <Time at={lastUsedAt} />,
  },
  {
    id: 'created',
    header: 'Created',
    sortKey: 'createdAt',
    descendsFirst: true,
    hideBelow: 'wide',
    width: '126px',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

const expiry: Column<ListedKey> = {
  id: 'expires',
  header: 'Expires',
  sortKey: 'expiresAt',
  hideBelow: 'narrow',
  width: '112px',
  cell: ({ expiresAt }) => (expiresAt === null ? <span className={styles.muted}>never</span> : <Time at={expiresAt} />),
};

/** Makes room for the expiry column. Phones show the expiry below the name instead. */
function besideExpiry(column: Column<ListedKey>): Column<ListedKey>[] {
  switch (column.id) {
    case 'name':
      return [{ ...column, cell: (key) => <NameCell apiKey={key} withExpiry /> }];
    case 'today':
      return [];
    case 'created':
      return [{ ...column, hideBelow: 'widest' }];
    case 'used':
      return [{ ...column, hideBelow: 'wide' }];
    case 'plan':
      return [{ ...column, hideBelow: 'medium' }];
    default:
      return [column];
  }
}

/** Shows the name of a key. Marks an old secret, whose row follows the key that replaced it. */
function NameCell({ apiKey, withExpiry = false }: { readonly apiKey: ListedKey; readonly withExpiry?: boolean }) {
  const { id, name, plan, rotatedTo, expiresAt } = apiKey;
  const day = findDay(apiKey);
  return (
    <div className={rotatedTo === null ? undefined : styles.replaced}>
      <Link to="/keys/$id" params={{ id }} data-row-link className={styles.name}>
        <span className={styles.title}>
          <OneLine text={name} />
          {rotatedTo !== null && <span className={styles.old}>(old secret)</span>}
        </span>
        <KeySecret apiKey={apiKey} />
      </Link>
      <span className={styles.below}>
        {isOwnOwner(apiKey) ? null : (
          <>
            <bdi>{findOwnerName(apiKey)}</bdi> ·{' '}
          </>
        )}
        <PlanNames ids={[plan]} />
        {day !== undefined && ` · ${formatCount(day.used)} of ${formatCount(day.limit)} today`}
        {withExpiry && expiresAt !== null && (
          <>
            {' · expires '}
            <Time at={expiresAt} />
          </>
        )}
      </span>
    </div>
  );
}

/** True if the owner equals the caller, which the row already shows. */
function isOwnOwner(apiKey: ListedKey): boolean {
  return apiKey.token !== null && findOwnerName(apiKey) === formatKeyPreview(apiKey);
}

function StateCell({ apiKey }: { readonly apiKey: ListedKey }) {
  return <KeyState apiKey={apiKey} banned={apiKey.usage?.ban != null} />;
}

/** The share of the day's limit above which a bar is shown. Below it, the numbers say more in a narrow column. */
const WORTH_A_BAR = 0.5;

function findDay({ status, usage }: ListedKey) {
  return status === 'active' ? usage?.windows.find(({ name }) => name === 'day') : undefined;
}

function TodayCell({ apiKey }: { readonly apiKey: ListedKey }) {
  const day = findDay(apiKey);
  if (day === undefined) return <span className={styles.muted}>–</span>;
  return (
    <div className={styles.today}>
      <span>
        {formatCount(day.used)} <span className={styles.muted}>/ {formatCount(day.limit)}</span>
        {/* Explains why a key that was never used has a usage: its quota is shared. */}
        {day.used > 0 && apiKey.lastUsedAt === null && <span className={styles.muted}> shared</span>}
      </span>
      {day.used / day.limit >= WORTH_A_BAR && <Meter label="Used today" used={day.used} limit={day.limit} />}
    </div>
  );
}
