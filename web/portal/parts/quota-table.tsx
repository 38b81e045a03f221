import { Link } from '@tanstack/react-router';
import { formatCount } from '../../shared/format/number.ts';
import { formatShortDuration } from '../../shared/format/time.ts';
import { type Column, DataTable } from '../../shared/ui/data/data-table.tsx';
import { Meter } from '../../shared/ui/data/meter.tsx';
import { useNow } from '../../shared/ui/data/time.tsx';
import { METER_LABELS } from '../../shared/ui/data/window-card.tsx';
import type { Key } from '../api/keys.ts';
import type { QuotaUsage } from '../api/usage.ts';
import { findCurrentKeys } from './quota-name.tsx';
import { findFullestWindow, sortFullestFirst } from './quotas.ts';
import styles from './quota-table.module.css';

type WindowName = QuotaUsage['windows'][number]['name'];

interface Props {
  readonly quotas: readonly QuotaUsage[];
  readonly keys: readonly Key[];
  /** The quota whose details are shown beside the table. */
  readonly selected?: QuotaUsage | undefined;
}

const WINDOW_HEADERS = { minute: 'Minute', day: 'Day (UTC)', month: 'Month (UTC)' };

/** Lists every quota, beginning with the fullest. A row links to the usage of its quota. */
export function QuotaTable({ quotas, keys, selected }: Props) {
  const hasMonth = quotas.some(({ windows }) => windows.some(({ name }) => name === 'month'));
  const columns: readonly Column<QuotaUsage>[] = [
    {
      id: 'keys',
      header: 'Key',
      cell: (quota) => <Name quota={quota} keys={keys} isSelected={quota.quotaId === selected?.quotaId} />,
    },
    { id: 'plan', header: 'Plan', width: '110px', hideBelow: 'narrow', cell: ({ planName }) => planName },
    createWindowColumn('minute'),
    createWindowColumn('day'),
    ...(hasMonth ? [{ ...createWindowColumn('month'), hideBelow: 'narrow' as const }] : []),
    {
      id: 'resets',
      header: 'Resets',
      width: '150px',
      hideBelow: 'medium',
      orderNote: 'When the fullest window of the quota starts again',
      cell: (quota) => <Reset quota={quota} />,
    },
  ];
  return (
    <DataTable
      caption="Your quotas, fullest first"
      columns={columns}
      rows={sortFullestFirst(quotas)}
      rowId={({ quotaId }) => quotaId}
    />
  );
}

function createWindowColumn(wanted: WindowName): Column<QuotaUsage> {
  return {
    id: wanted,
    header: WINDOW_HEADERS[wanted],
    width: '22%',
    cell: ({ windows }) => {
      const window = windows.find(({ name }) => name === wanted);
      if (window === undefined) return 'no limit';
      return (
        <div className={styles.window}>
          <span>
            {formatCount(window.used)} <span className={styles.limit}>of {formatCount(window.limit)}</span>
          </span>
          <Meter label={METER_LABELS[wanted]} used={window.used} limit={window.limit} />
        </div>
      );
    },
  };
}

interface NameProps {
  readonly quota: QuotaUsage;
  readonly keys: readonly Key[];
  readonly isSelected: boolean;
}

/** The name of the quota. Where the table has no room for the column of the plan, it also shows the plan. */
function Name({ quota, keys, isSelected }: NameProps) {
  return (
    <>
      <Link
        to="/usage"
        search={(all) => ({ ...all, quota: quota.quotaId })}
        resetScroll={false}
        className={styles.name}
        aria-current={isSelected ? 'true' : undefined}
        data-row-link
      >
        <KeyList quota={quota} keys={keys} />
      </Link>
      <small className={styles.planBelow}>{quota.planName} plan</small>
      {quota.ban !== null && <small className={styles.banned}>Banned</small>}
    </>
  );
}

/** Names the keys of a quota, such as "Shop backend", "Shop, Report" or "5 keys". */
export function KeyList({ quota, keys }: Pick<NameProps, 'quota' | 'keys'>) {
  const current = findCurrentKeys(quota, keys);
  if (current.length === 0) return 'Keys that you create here';
  if (current.length > 2) return `${current.length} keys`;
  return <bdi>{current.map(({ name }) => name).join(', ')}</bdi>;
}

function Reset({ quota }: { readonly quota: QuotaUsage }) {
  const now = useNow();
  const window = findFullestWindow(quota);
  if (window === undefined || window.used === 0) return <span className={styles.limit}>not in use</span>;
  return `${window.name} in ${formatShortDuration(Date.parse(window.resetsAt) - now)}`;
}
