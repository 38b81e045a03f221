import { useInfiniteQuery } from '@tanstack/react-query';
import { Ban as BanIcon, CircleCheck, History, RefreshCw, ShieldCheck } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { PAGE_SIZE } from '../../api/keys.ts';
import { formatShortDuration } from '../../../shared/format/time.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { Column, Sorting } from '../../../shared/ui/data/data-table.tsx';
import { FittedTable } from '../fitted-table.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { type Ban, type BanFilters, bansQuery, isForActiveBans, MAX_SEARCHED_QUOTAS } from '../../api/bans.ts';
import { ClearFilters } from '../clear-filters.tsx';
import { ToCustomer } from '../to-customer.tsx';
import { ReadFailure } from '../failure.tsx';
import { useSession } from '../../session/session-context.ts';
import { KeyName } from './key-name.tsx';
import styles from '../parts.module.css';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

const STATES = {
  active: { tone: 'banned', icon: BanIcon },
  expired: { tone: 'neutral', icon: History },
  lifted: { tone: 'neutral', icon: ShieldCheck },
  replaced: { tone: 'neutral', icon: RefreshCw },
} as const;

/** The number of bans in a short list. */
export const SHORT_PAGE_SIZE = 5;

const columns: readonly Column<Ban>[] = [
  { id: 'key', header: 'Key', cell: (ban) => <BannedKey ban={ban} /> },
  {
    id: 'status',
    header: 'Status',
    width: '104px',
    hideBelow: 'narrow',
    cell: ({ status }) => <BanState status={status} />,
  },
  {
    id: 'why',
    header: 'Reason',
    hideBelow: 'narrow',
    cell: (ban) => (
      <div className={styles.oneLine}>
        <Why ban={ban} />
      </div>
    ),
  },
  {
    id: 'from',
    header: 'Began',
    sortKey: 'from',
    descendsFirst: true,
    width: '124px',
    hideBelow: 'wide',
    cell: ({ from }) => <Time at={from} />,
  },
  {
    id: 'length',
    header: 'Length',
    sortKey: 'length',
    descendsFirst: true,
    numeric: true,
    width: '104px',
    hideBelow: 'wide',
    cell: formatLength,
  },
  {
    id: 'until',
    header: 'Ends',
    sortKey: 'until',
    width: '130px',
    hideBelow: 'narrow',
    cell: ({ endedAt, until }) => <Time at={endedAt ?? until} />,
  },
  {
    id: 'actor',
    header: 'By',
    sortKey: 'actor',
    hideBelow: 'wide',
    text: ({ actor }) => actor,
    cell: ({ actor }) => <bdi>{actor}</bdi>,
  },
];

/**
 * Only the order by start is offered for all bans. The end of past bans is not stored: it is determined when they are
 * listed.
 */
const anyColumns = columns.map((column) =>
  column.sortKey !== undefined && isForActiveBans(column.sortKey)
    ? { ...column, sortKey: undefined, orderNote: 'Only active bans can be sorted by this: choose the status Active.' }
    : column,
);

interface Props {
  readonly filters: BanFilters;
  /** Shows only the latest few bans. */
  readonly short?: boolean;
  /** All bans belong to one key, which is named above the list. */
  readonly ofOneKey?: boolean;
  /** Renders a button that lifts the active ban of a key, in a column of its own. */
  readonly lift?: ((keyId: string) => ReactNode) | undefined;
  /** Omitted: bans are listed by their start, newest first. */
  readonly sorting?: Sorting;
}

/** Lists bans with their keys and reasons. */
export function BanList({ filters, short = false, ofOneKey = false, lift, sorting }: Props) {
  const list = useInfiniteQuery(bansQuery(filters, short ? SHORT_PAGE_SIZE : PAGE_SIZE, sorting?.sort));
  const { canChange } = useSession();
  const more = useNextPage(list);
  // The gateway reads a few bans at a time, so empty pages may be followed by others.
  const isLooking =
    list.data !== undefined && list.hasNextPage && list.data.pages.every(({ items }) => items.length === 0);
  useEffect(() => {
    if (isLooking) more();
  }, [isLooking, more]);
  if (list.data === undefined || isLooking)
    return list.isError ? <ReadFailure query={list} what="the bans" /> : <Loading rows={3} />;
  const bans = list.data.pages.flatMap(({ items }) => items);
  if (bans.length === 0) {
    return short ? <p className={styles.none}>Never banned.</p> : <NoBans filtered={Object.keys(filters).length > 0} />;
  }
  const isActiveOnly = filters.status === 'active';
  const shownColumns = short
    ? shortColumns(ofOneKey, filters.status !== undefined)
    : isActiveOnly
      ? columns
      : anyColumns;
  const isLiftable = canChange && bans.some(({ status }) => status === 'active');
  const shown = isLiftable && lift !== undefined ? [...shownColumns, liftColumn(lift)] : shownColumns;
  return (
    <>
      <FittedTable
        caption={sorting === undefined ? 'Bans, newest first' : 'Bans'}
        columns={shown}
        rows={bans}
        rowId={({ quotaId, from }) => `${quotaId} ${from}`}
        sorting={sorting}
        order="-from"
        onEnd={short ? undefined : more}
      />
      {list.data.pages[0]?.isPartial === true && (
        <p className={styles.none}>
          The search covers the newest {MAX_SEARCHED_QUOTAS} matching keys, and shows up to {PAGE_SIZE} bans of each. To
          see more, search for an id.
        </p>
      )}
    </>
  );
}

function liftColumn(lift: (keyId: string) => ReactNode): Column<Ban> {
  const cell = ({ status, keyId }: Ban) => status === 'active' && lift(keyId);
  return { id: 'lift', header: 'Actions', width: '84px', cell };
}

export function BanState({ status }: Pick<Ban, 'status'>) {
  const { tone, icon } = STATES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {findStateWord(status)}
    </Badge>
  );
}

/** Leaves out the columns in which all bans of a short list have the same value. */
function shortColumns(ofOneKey: boolean, ofOneStatus: boolean): readonly Column<Ban>[] {
  const shown = columns.filter(({ id }) => (id === 'key' ? !ofOneKey : id !== 'status' || !ofOneStatus));
  if (!ofOneKey) return shown;
  // A short list shows these columns on narrow screens too, because it has no column below which they could be shown.
  return shown.map((column) =>
    /^(?:status|why|until)$/.test(column.id) ? { ...column, hideBelow: undefined } : column,
  );
}

/** Shows the key and, on a phone, also the state, the end and the reason. */
function BannedKey({ ban }: { readonly ban: Ban }) {
  return (
    <>
      <KeyName id={ban.keyId} />
      <div className={styles.onPhones}>
        <BanState status={ban.status} /> {ban.status === 'active' ? 'ends ' : 'ended '}
        <Time at={ban.endedAt ?? ban.until} />
        <Why ban={ban} />
      </div>
    </>
  );
}

export function Why({ ban: { reason, message, evidence, lift } }: { readonly ban: Ban }) {
  const strikes = `${pluralize(evidence?.strikes ?? 0, 'call')} without waiting for Retry-After`;
  return (
    <div>
      {evidence === null ? (
        <>
          <div className={styles.clamped} title={reason ?? undefined}>
            <bdi>{reason ?? 'No reason given'}</bdi>
          </div>
          <ToCustomer message={message} reason={reason} />
        </>
      ) : (
        <>
          <div className={styles.clamped} title={strikes}>
            {strikes}
          </div>
          <div className={styles.detail}>
            {evidence.windows
              .map(({ name, used, limit }) => `${formatCount(used)} of ${formatCount(limit)} in the ${name}`)
              .join(', ')}
          </div>
        </>
      )}
      {lift !== null && (
        <>
          <div className={`${styles.detail} ${styles.clamped}`} title={lift.reason ?? undefined}>
            Lifted by <bdi>{lift.actor}</bdi>
            {lift.reason !== null && (
              <>
                : <bdi>{lift.reason}</bdi>
              </>
            )}
          </div>
          <ToCustomer message={lift.message} reason={lift.reason} />
        </>
      )}
    </div>
  );
}

function formatLength({ from, until }: Ban): string {
  return formatShortDuration(Date.parse(until) - Date.parse(from));
}

function NoBans({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <Empty icon={CircleCheck} title="No matching bans" action={<ClearFilters />} />;
  return (
    <Empty icon={CircleCheck} title="No bans">
      A key that keeps calling before the time in <code>Retry-After</code> is temporarily banned. You can also ban a key
      yourself, on its page.
    </Empty>
  );
}
