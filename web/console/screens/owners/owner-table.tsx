import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { useMemo } from 'react';
import { formatCount } from '../../../shared/format/number.ts';
import type { Period } from '../../../shared/traffic/period.ts';
import { ShareOf } from '../../../shared/traffic/share-of.tsx';
import { Sparkline } from '../../../shared/traffic/sparkline.tsx';
import type { UsageHistory } from '../../../shared/traffic/usage-history.ts';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { FittedTable } from '../../parts/fitted-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type KeyOwner, ownersInPeriodQuery } from '../../api/owners.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { OwnerName } from '../../parts/owner-link.tsx';
import { PlanNames, usePlanNames } from '../../parts/plan-link.tsx';
import parts from '../../parts/parts.module.css';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

interface Row extends KeyOwner {
  /** The counted period, without any series. Null if the API counted none. */
  readonly history: UsageHistory | null;
}

const columnsWith = (planName: (id: string) => string): readonly Column<Row>[] => [
  {
    id: 'owner',
    header: 'Owner',
    sortKey: 'owner',
    cell: ({ owner, account }) => <OwnerName owner={owner} account={account} />,
  },
  {
    id: 'plans',
    header: 'Plans',
    hideBelow: 'medium',
    text: ({ plans }) => plans.map(planName).join(', '),
    cell: ({ plans }) => <PlanNames ids={plans} />,
  },
  {
    id: 'trend',
    header: 'Trend',
    width: '14%',
    hideBelow: 'medium',
    cell: ({ owner, usage, history }) =>
      usage !== null && history !== null && <Sparkline history={history} series={{ group: owner, ...usage }} />,
  },
  {
    id: 'requests',
    header: 'Requests',
    sortKey: 'requests',
    descendsFirst: true,
    numeric: true,
    width: '104px',
    cell: ({ usage }) => formatCount(usage?.totals.requests ?? 0),
  },
  {
    id: 'refused',
    header: 'Refused',
    orderNote: 'Owners are sorted by all of their requests, not by the refused ones.',
    numeric: true,
    width: '84px',
    hideBelow: 'narrow',
    cell: ({ usage }) =>
      usage === null || usage.totals.requests === 0 ? (
        <span className={parts.muted}>–</span>
      ) : (
        <ShareOf what="refused" part={usage.totals.refused} of={usage.totals.requests} />
      ),
  },
  {
    id: 'active',
    header: 'Active keys',
    sortKey: 'activeKeys',
    descendsFirst: true,
    numeric: true,
    width: '116px',
    hideBelow: 'wide',
    cell: ({ activeKeys }) => formatCount(activeKeys),
  },
  {
    id: 'keys',
    header: 'All keys',
    sortKey: 'keys',
    descendsFirst: true,
    numeric: true,
    width: '100px',
    hideBelow: 'wide',
    cell: ({ keys }) => formatCount(keys),
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

/** Lists all owners of keys, including those without requests in the period. */
export function OwnerTable({ search, period }: { readonly search: string; readonly period: Period }) {
  const sorting = useSortInUrl('-requests');
  const list = useInfiniteQuery(ownersInPeriodQuery(search, sorting.sort, period));
  const more = useNextPage(list);
  const planName = usePlanNames();
  const columns = useMemo(() => columnsWith(planName), [planName]);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the owners" /> : <Loading rows={6} />;
  const owners = list.data.pages.flatMap(({ items, period: counted }) => {
    const history = counted === null ? null : { ...counted, series: [], others: null };
    return items.map((one) => ({ ...one, history }));
  });
  if (owners.length === 0) return <NoOwner filtered={search !== ''} />;
  return (
    <FittedTable
      caption={`Owners, with their requests ${period.words}`}
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
        The search matches any part of the id, and of the name and email address of the account. It ignores case.
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
