import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban as BanIcon, CircleCheck, History, RefreshCw, ShieldCheck } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { count, plural } from '../../shared/format/number.ts';
import { duration } from '../../shared/format/time.ts';
import { Badge } from '../../shared/ui/data/badge.tsx';
import { shortId } from '../../shared/format/id.ts';
import { type Column, DataTable } from '../../shared/ui/data/data-table.tsx';
import { Empty, Loading } from '../../shared/ui/page/states.tsx';
import { Time } from '../../shared/ui/data/time.tsx';
import { type Ban, type BanFilters, bansQuery } from '../api/lists.ts';
import { ReadFailure } from './failure.tsx';
import styles from './parts.module.css';

const STATES = {
  active: { tone: 'banned', icon: BanIcon, word: 'Running' },
  expired: { tone: 'neutral', icon: History, word: 'Ended' },
  lifted: { tone: 'served', icon: ShieldCheck, word: 'Lifted' },
  replaced: { tone: 'neutral', icon: RefreshCw, word: 'Replaced' },
} as const;

const SHORT_PAGE = 5;

const columns: readonly Column<Ban>[] = [
  { id: 'status', header: 'Status', width: '104px', cell: ({ status }) => <BanState status={status} /> },
  { id: 'key', header: 'Key', hideBelow: 'narrow', cell: ({ keyId }) => <BanKey id={keyId} /> },
  { id: 'why', header: 'Why', cell: (ban) => <Why ban={ban} /> },
  { id: 'from', header: 'Began', width: '130px', hideBelow: 'narrow', cell: ({ from }) => <Time at={from} /> },
  { id: 'length', header: 'Length', numeric: true, width: '90px', hideBelow: 'medium', cell: lengthOf },
  { id: 'until', header: 'Ends', width: '130px', cell: ({ endedAt, until }) => <Time at={endedAt ?? until} /> },
  { id: 'actor', header: 'By', hideBelow: 'medium', width: '110px', cell: ({ actor }) => <bdi>{actor}</bdi> },
];

interface Props {
  readonly filters: BanFilters;
  /** Shows the latest few. */
  readonly short?: boolean;
  /** What a short list says where there is none. */
  readonly none?: string;
}

/** Bans with what they were for. */
export function BanList({ filters, short = false, none = 'Never banned.' }: Props) {
  const list = useInfiniteQuery(short ? bansQuery(filters, SHORT_PAGE) : bansQuery(filters));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!short && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [short, hasNextPage, isFetchingNextPage, fetchNextPage]);
  // The gateway looks through a few at a time: that none of those has the status that is asked for says nothing of the rest.
  const isLooking = list.data !== undefined && hasNextPage && list.data.pages.every(({ items }) => items.length === 0);
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) void fetchNextPage();
  }, [isLooking, isFetchingNextPage, fetchNextPage]);
  if (list.data === undefined || isLooking)
    return list.isError ? <ReadFailure query={list} what="The bans" /> : <Loading rows={3} />;
  const bans = list.data.pages.flatMap(({ items }) => items);
  if (bans.length === 0) return short ? <p className={styles.none}>{none}</p> : <NoBans />;
  const shown = short ? columns.filter(({ id }) => id !== 'key') : columns;
  return (
    <DataTable
      caption="Bans, newest first"
      columns={shown}
      rows={bans}
      rowId={({ quotaId, from }) => `${quotaId} ${from}`}
      onEnd={more}
    />
  );
}

export function BanState({ status }: Pick<Ban, 'status'>) {
  const { tone, icon, word } = STATES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

function BanKey({ id }: { readonly id: string }) {
  return (
    <Link to="/keys/$id" params={{ id }} data-row-link title={id}>
      <code>{shortId(id)}</code>
    </Link>
  );
}

function Why({ ban: { reason, evidence, lift } }: { readonly ban: Ban }) {
  return (
    <div>
      {reason !== null && <bdi>{reason}</bdi>}
      {evidence !== null && (
        <div className={styles.detail}>
          {plural(evidence.strikes, 'call')} before the time given by Retry-After
          {evidence.windows.map(({ name, used, limit }) => `, ${count(used)} of ${count(limit)} this ${name}`)}
        </div>
      )}
      {lift !== null && (
        <div className={styles.detail}>
          Lifted by <bdi>{lift.actor}</bdi>
          {lift.reason !== null && (
            <>
              : <bdi>{lift.reason}</bdi>
            </>
          )}
        </div>
      )}
    </div>
  );
}

function lengthOf({ from, until }: Ban): string {
  return duration(Date.parse(until) - Date.parse(from));
}

function NoBans() {
  return (
    <Empty icon={CircleCheck} title="No bans">
      A key that keeps calling before the time given by <code>Retry-After</code> is banned for a while. You can ban one
      by hand, from its page.
    </Empty>
  );
}
