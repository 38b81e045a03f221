import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { useMemo } from 'react';
import { shortenId } from '../../../shared/format/id.ts';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { FittedTable } from '../../parts/fitted-table.tsx';
import { OneLine } from '../../../shared/ui/data/one-line.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type Account, type AccountFilters, accountsQuery } from '../../api/accounts.ts';
import { ACCOUNT_PREFIX } from '../../api/keys.ts';
import { AccountActions } from '../../actions/account-actions.tsx';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { AccountState } from '../../parts/account-state.tsx';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { PlanNames, usePlanNames } from '../../parts/plan-link.tsx';
import { useSession } from '../../session/session-context.ts';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

const columnsWith = (planName: (id: string) => string): readonly Column<Account>[] => [
  { id: 'name', header: 'Account', sortKey: 'name', cell: (account) => <Name account={account} /> },
  {
    id: 'status',
    header: 'Status',
    sortKey: 'status',
    width: '110px',
    cell: ({ status }) => <AccountState status={status} />,
  },
  {
    id: 'plan',
    header: 'Plan',
    sortKey: 'plan',
    hideBelow: 'narrow',
    text: ({ plan }) => planName(plan),
    cell: ({ plan }) => <PlanNames ids={[plan]} />,
  },
  {
    id: 'mail',
    header: 'Email',
    sortKey: 'email',
    hideBelow: 'medium',
    text: ({ email }) => email ?? '',
    cell: ({ email }) => email !== null && <bdi>{email}</bdi>,
  },
  {
    id: 'seen',
    header: 'Last signed in',
    sortKey: 'lastSignInAt',
    descendsFirst: true,
    width: '150px',
    hideBelow: 'medium',
    cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Time at={lastSignInAt} />),
  },
];

const menuColumn: Column<Account> = {
  id: 'menu',
  header: 'Actions',
  width: '76px',
  cell: (account) => <AccountActions account={account} />,
};

export function Accounts({ filters }: { readonly filters: AccountFilters }) {
  const sorting = useSortInUrl('-createdAt');
  const list = useInfiniteQuery(accountsQuery(filters, sorting.sort));
  const { canChange } = useSession();
  const more = useNextPage(list);
  const planName = usePlanNames();
  const columns = useMemo(() => {
    const shown = columnsWith(planName);
    return canChange ? [...shown, menuColumn] : shown;
  }, [planName, canChange]);
  if (list.data === undefined) {
    return list.isError ? <ReadFailure query={list} what="the accounts" /> : <Loading rows={4} />;
  }
  const accounts = list.data.pages.flatMap(({ items }) => items);
  if (accounts.length === 0) return <NoAccounts filters={filters} />;
  return (
    <FittedTable
      caption="Accounts"
      sorting={sorting}
      columns={columns}
      rows={accounts}
      rowId={({ id }) => id}
      onEnd={more}
    />
  );
}

function Name({ account: { name, owner } }: { readonly account: Account }) {
  return (
    <Link to="/owners/$owner" params={{ owner }} className={parts.name} data-row-link>
      <OneLine text={name} />
      <span className={parts.detail}>
        <OneLine text={owner.startsWith(ACCOUNT_PREFIX) ? shortenId(owner) : owner} title={owner} />
      </span>
    </Link>
  );
}

function NoAccounts({ filters }: { readonly filters: AccountFilters }) {
  const filtered = Object.keys(filters).length > 0;
  const isSearched = filters.q !== undefined;
  return (
    <Empty
      icon={UsersRound}
      title={filtered ? 'No matching accounts' : 'No accounts yet'}
      action={filtered && <ClearFilters />}
    >
      {filtered
        ? isSearched
          ? 'Check the spelling, or clear the filters. Searches need at least three characters.'
          : 'No account has this status.'
        : 'With an account, a consumer creates keys and requests plans in the portal. Create one, then send its sign-in link.'}
    </Empty>
  );
}
