import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { count } from '../../../shared/format/number.ts';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import type { Period } from '../../../shared/traffic/period.ts';
import { ShareOf } from '../../../shared/traffic/share-of.tsx';
import type { UsageTotals } from '../../../shared/traffic/usage-history.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import { totalsQuery } from '../../api/history/history.ts';
import { useAddressSort } from '../../parts/address-sort.ts';
import parts from '../../parts/parts.module.css';
import { type KeyOwner, ownersQuery } from '../../api/owners.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { OwnerLink } from '../../parts/owner-link.tsx';

interface Row extends KeyOwner {
  /** Undefined if they are not known. */
  readonly totals: Pick<UsageTotals, 'requests' | 'refused'> | undefined;
}

const columns: readonly Column<Row>[] = [
  { id: 'owner', header: 'Owner', sortKey: 'owner', cell: ({ owner }) => <OwnerLink owner={owner} row /> },
  {
    id: 'plans',
    header: 'Plans',
    width: '20%',
    hideBelow: 'medium',
    cell: ({ plans }) => <bdi>{plans.join(', ')}</bdi>,
  },
  {
    id: 'requests',
    header: 'Requests',
    numeric: true,
    width: '92px',
    hideBelow: 'narrow',
    cell: ({ totals }) => (totals === undefined ? '–' : count(totals.requests)),
  },
  {
    id: 'refused',
    header: 'Refused',
    numeric: true,
    width: '84px',
    hideBelow: 'medium',
    cell: ({ totals }) =>
      totals === undefined ? '–' : <ShareOf what="refused" part={totals.refused} of={totals.requests} />,
  },
  {
    id: 'active',
    header: 'Active keys',
    sortKey: 'activeKeys',
    descendsFirst: true,
    numeric: true,
    width: '116px',
    cell: ({ activeKeys }) => count(activeKeys),
  },
  {
    id: 'keys',
    header: 'All keys',
    sortKey: 'keys',
    descendsFirst: true,
    numeric: true,
    width: '100px',
    hideBelow: 'wide',
    cell: ({ keys }) => count(keys),
  },
  {
    id: 'used',
    header: 'Last used',
    sortKey: 'lastUsedAt',
    descendsFirst: true,
    width: '134px',
    hideBelow: 'narrow',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className={parts.muted}>never</span> : <Time at={lastUsedAt} />,
  },
];

const NO_REQUESTS = { requests: 0, refused: 0 };

/** Every owner of a key, also those without recent requests. */
export function AllOwners({ search, period }: { readonly search: string; readonly period: Period }) {
  const sorting = useAddressSort('owner');
  const list = useInfiniteQuery(ownersQuery(search, sorting.sort));
  const history = useQuery(totalsQuery(period, 'owner')).data;
  const totalsOf = useMemo(() => new Map(history?.series.map((one) => [one.group, one.totals])), [history]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the owners" /> : <Loading rows={6} />;
  // An owner in no series had no requests, unless there are others.
  const rest = history?.others === null ? NO_REQUESTS : undefined;
  const owners = list.data.pages.flatMap(({ items }) =>
    items.map((one) => ({ ...one, totals: totalsOf.get(one.owner) ?? rest })),
  );
  if (owners.length === 0) return <NoOwner filtered={search !== ''} />;
  return (
    <DataTable
      caption="Owners"
      columns={columns}
      rows={owners}
      rowId={({ owner }) => owner}
      sorting={sorting}
      onEnd={more}
    />
  );
}

function NoOwner({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon={UsersRound} title="No matching owners" action={<ClearFilters />}>
        The search matches any part of the id and ignores case.
      </Empty>
    );
  }
  const create = (
    <Link to="/keys" search={{ do: 'create' }} className={buttonClass('plain')}>
      Create a key
    </Link>
  );
  return (
    <Empty icon={UsersRound} title="No owners yet" action={create}>
      An owner appears here with its first key.
    </Empty>
  );
}
