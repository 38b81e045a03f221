import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleOff, Link2, Pencil, Trash2, UsersRound } from 'lucide-react';
import { useCallback, useState } from 'react';
import { stateWord } from '../../../shared/format/state-words.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import {
  AccountStatusDialog,
  DeleteAccountDialog,
  EditAccountDialog,
  ShowLinkDialog,
  SignInLinkDialog,
} from '../../actions/lazy-dialogs.ts';
import { type Account, type AccountFilters, accountsQuery, type SignInLink } from '../../api/accounts.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';

type What = 'edit' | 'link' | 'status' | 'delete';
type Asked = { readonly what: What; readonly account: Account } | null;

const columns: readonly Column<Account>[] = [
  { id: 'name', header: 'Account', cell: (account) => <Name account={account} /> },
  { id: 'status', header: 'Status', width: '110px', cell: ({ status }) => <Status status={status} /> },
  { id: 'plan', header: 'Plan', width: '96px', hideBelow: 'narrow', cell: ({ plan }) => plan },
  {
    id: 'mail',
    header: 'Email',
    hideBelow: 'medium',
    width: '28%',
    cell: ({ email }) => email !== null && <bdi>{email}</bdi>,
  },
  {
    id: 'seen',
    header: 'Last signed in',
    width: '140px',
    hideBelow: 'medium',
    cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Time at={lastSignInAt} />),
  },
];

export function Accounts({ filters }: { readonly filters: AccountFilters }) {
  const list = useInfiniteQuery(accountsQuery(filters));
  const { canChange } = useSession();
  const [asked, setAsked] = useState<Asked>(null);
  const [made, setMade] = useState<SignInLink | null>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (list.data === undefined) {
    return list.isError ? <ReadFailure query={list} what="the accounts" /> : <Loading rows={4} />;
  }
  const accounts = list.data.pages.flatMap(({ items }) => items);
  if (accounts.length === 0) return <NoAccounts filtered={Object.keys(filters).length > 0} />;
  const menuColumn: Column<Account> = {
    id: 'menu',
    header: 'Actions',
    width: '76px',
    cell: (account) => <AccountMenu account={account} onAsk={(what) => setAsked({ what, account })} />,
  };
  const close = () => setAsked(null);
  return (
    <>
      <DataTable
        caption="Accounts, newest first"
        columns={canChange ? [...columns, menuColumn] : columns}
        rows={accounts}
        rowId={({ id }) => id}
        onEnd={more}
      />
      {asked?.what === 'edit' && <EditAccountDialog account={asked.account} onClose={close} />}
      {asked?.what === 'link' && <SignInLinkDialog account={asked.account} onClose={close} onMade={setMade} />}
      {asked?.what === 'status' && <AccountStatusDialog account={asked.account} onClose={close} />}
      {asked?.what === 'delete' && <DeleteAccountDialog account={asked.account} onClose={close} />}
      {made !== null && <ShowLinkDialog link={made} onClose={() => setMade(null)} />}
    </>
  );
}

function AccountMenu({ account, onAsk }: { readonly account: Account; readonly onAsk: (what: What) => void }) {
  const isActive = account.status === 'active';
  const edit = { label: 'Edit…', icon: Pencil, onSelect: () => onAsk('edit') };
  const link = { label: 'Create a sign-in link…', icon: Link2, onSelect: () => onAsk('link') };
  const status = {
    label: isActive ? 'Disable…' : 'Enable…',
    icon: isActive ? CircleOff : CircleCheck,
    danger: isActive,
    onSelect: () => onAsk('status'),
  };
  const remove = { label: 'Delete…', icon: Trash2, danger: true, onSelect: () => onAsk('delete') };
  const items = isActive ? [edit, link, status, remove] : [edit, status, remove];
  return <MoreMenu label={`Actions for ${account.name}`} items={items} />;
}

function Name({ account: { name, owner } }: { readonly account: Account }) {
  return (
    <Link to="/owners/$owner" params={{ owner }} className={parts.name} data-row-link>
      <bdi>{name}</bdi>
      <bdi className={parts.detail}>{owner}</bdi>
    </Link>
  );
}

function Status({ status }: Pick<Account, 'status'>) {
  const isActive = status === 'active';
  return (
    <Badge tone={isActive ? 'served' : 'refused'} icon={isActive ? CircleCheck : CircleOff}>
      {stateWord(status)}
    </Badge>
  );
}

function NoAccounts({ filtered }: { readonly filtered: boolean }) {
  return (
    <Empty
      icon={UsersRound}
      title={filtered ? 'No matching accounts' : 'No accounts yet'}
      action={filtered && <ClearFilters />}
    >
      {filtered
        ? 'Check the spelling, or clear the filters. Searches need at least three characters.'
        : 'With an account, a consumer creates keys and requests plans in the portal. Create one, then send its sign-in link.'}
    </Empty>
  );
}
