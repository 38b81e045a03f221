import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { FittedTable } from '../../parts/fitted-table.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { useSelection } from '../../../shared/ui/data/selection.ts';
import { useShortcuts } from '../../../shared/behavior/shortcuts.ts';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { CreateKeyDialog, NewKeyDialog } from '../../actions/lazy-dialogs.ts';
import type { KeyWithSecret } from '../../api/key-changes.ts';
import {
  createBulkFilter,
  isFiltered,
  type Key,
  type KeyFilters,
  type KeyKind,
  listKeys,
  keysQuery,
  type KeyStatus,
} from '../../api/keys.ts';
import { activeBansQuery } from '../../api/bans.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { useSession } from '../../session/session-context.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useKeyColumns } from '../../parts/keys/key-columns.tsx';
import { KeysToolbar } from './keys-toolbar.tsx';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

const idOf = ({ id }: Key) => id;
const nameOf = ({ name }: Key) => name;

export function KeysScreen() {
  const filters = useFilters();
  const sorting = useSortInUrl('-createdAt');
  const list = useInfiniteQuery(keysQuery(filters, sorting.sort));
  const keys = useMemo(() => listKeys(list.data), [list.data]);
  const columns = useKeyColumns(isAboutExpiry(filters, sorting.sort));
  const { canChange } = useSession();
  const selection = useSelection(keys, idOf);
  const matching = useMatching(filters, selection);
  const creation = useCreation(filters.owner);
  useRowShortcuts();

  const { hasNextPage, isFetchingNextPage } = list;
  const more = useNextPage(list);

  return (
    <ListPage
      title="Keys"
      summary={
        list.data !== undefined && (
          <KeysSummary filters={filters} loaded={keys.length} total={list.data.pages[0]?.total} more={hasNextPage} />
        )
      }
      actions={
        <>
          <Freshness query={list} />
          {canChange && (
            <Button kind="primary" icon={Plus} onClick={creation.open}>
              Create a key
            </Button>
          )}
        </>
      }
    >
      <KeysToolbar filters={filters} sort={sorting.sort} />
      {list.isPending && <Loading rows={8} label="Loading the keys" />}
      {list.isError && list.data === undefined && <ReadFailure query={list} what="the keys" />}
      {list.data !== undefined && keys.length === 0 && (
        <NoKeys filters={filters} onCreate={canChange ? creation.open : undefined} />
      )}
      {keys.length > 0 && (
        <FittedTable
          caption="Keys"
          columns={columns}
          sorting={sorting}
          rows={keys}
          rowId={idOf}
          rowLabel={nameOf}
          selection={canChange ? matching.selection : undefined}
          onEnd={more}
        />
      )}
      {isFetchingNextPage && <Loading rows={2} label="Loading more keys" />}
      {canChange && (
        <BulkBar
          selected={selection.items}
          matching={matching.selected}
          onSelectMatching={hasNextPage && selection.items.length === keys.length ? matching.select : undefined}
          onClear={matching.clear}
        />
      )}
      {creation.dialogs}
    </ListPage>
  );
}

/** Extends the selection with "all keys that match the filters", which includes keys that are not loaded. */
function useMatching(filters: KeyFilters, { ids, toggle, toggleAll, clear }: ReturnType<typeof useSelection<Key>>) {
  const filter = useMemo(() => createBulkFilter(filters), [filters]);
  const [all, setAll] = useState<typeof filter>(null);
  return {
    /** The filter if all matching keys are selected; otherwise null. */
    selected: all === filter ? all : null,
    select: filter === null ? undefined : () => setAll(filter),
    selection: {
      ids,
      toggle: (id: string) => {
        setAll(null);
        toggle(id);
      },
      toggleAll: () => {
        setAll(null);
        toggleAll();
      },
    },
    clear: () => {
      setAll(null);
      clear();
    },
  };
}

function useFilters(): KeyFilters {
  const { q, owner, plan, kind, token, status, state, expiresWithin, unusedFor } = useSearch({ from: '/keys' });
  return useMemo(
    () => ({
      ...(q === undefined ? {} : { q }),
      ...(owner === undefined ? {} : { owner }),
      ...(plan === undefined ? {} : { plan }),
      ...(kind === undefined ? {} : { kind: kind as KeyKind }),
      ...(token === undefined ? {} : { token }),
      ...(status === undefined ? {} : { status: status as KeyStatus }),
      ...(state === undefined ? {} : { state: state as KeyFilters['state'] }),
      ...(expiresWithin === undefined ? {} : { expiresWithin }),
      ...(unusedFor === undefined ? {} : { unusedFor }),
    }),
    [q, owner, plan, kind, token, status, state, expiresWithin, unusedFor],
  );
}

/** True if the list is sorted or filtered by expiry. Only then does it show the column. */
function isAboutExpiry({ state, expiresWithin }: KeyFilters, sort: string): boolean {
  return state === 'expired' || state === 'rotating' || expiresWithin !== undefined || /^-?expiresAt$/.test(sort);
}

function useCreation(owner: string | undefined) {
  const dialog = useDialogInUrl();
  const [secret, setSecret] = useState<KeyWithSecret | null>(null);
  const { canChange } = useSession();
  const { open: show } = dialog;
  const open = useCallback(() => show('create'), [show]);
  useShortcuts(useMemo(() => ({ n: canChange ? open : undefined }), [canChange, open]));
  const announce = ({ id, name }: Pick<Key, 'id' | 'name'>) => {
    const link = { href: `#/keys/${encodeURIComponent(id)}`, label: 'Open the key' };
    toast({ message: `Created: ${name}`, link, undo: null });
  };
  // The toast appears only after the dialog with the secret is closed, because the dialog would hide it.
  const onSeen = () => {
    setSecret(null);
    if (secret !== null) announce(secret);
  };
  const dialogs = (
    <>
      {canChange && dialog.opened === 'create' && (
        <CreateKeyDialog owner={owner} onClose={dialog.close} onCreated={setSecret} onAdded={announce} />
      )}
      {secret !== null && <NewKeyDialog secret={secret} onClose={onSeen} />}
    </>
  );
  return { open, dialogs };
}

function KeysSummary({
  filters,
  loaded,
  total,
  more,
}: {
  readonly filters: KeyFilters;
  readonly loaded: number;
  /** The number of keys that match; null or undefined if it is unknown. */
  readonly total: number | null | undefined;
  readonly more: boolean;
}) {
  const bans = useQuery(activeBansQuery).data;
  const known = total ?? (more ? null : loaded);
  const found = isFiltered(filters) ? (known === 1 ? ' matches' : ' match') : '';
  const many = known === null ? `More than ${pluralize(loaded, 'key')}${found}` : `${pluralize(known, 'key')}${found}`;
  return (
    <p>
      <strong>{many}</strong>
      {bans !== undefined &&
        !isFiltered(filters) &&
        ` · ${bans.count === 0 ? 'none' : formatCount(bans.count)}${bans.more ? '+' : ''} banned`}
    </p>
  );
}

/** Says why the list is empty. If it shows only callers, it also explains how they are created. */
function NoneWith({ filters: { kind, token, ...others } }: { readonly filters: KeyFilters }) {
  const issuers = useQuery(tokensQuery).data?.items ?? [];
  const isForCallers = (kind === 'token' || token !== undefined) && !isFiltered(others);
  if (!isForCallers) return 'No key matches all of these filters.';
  if (issuers.length === 0) return 'No issuer of access tokens is configured (setting tokens).';
  const asked = issuers.filter(({ name }) => token === undefined || name === token);
  return (
    <>
      {token === undefined ? 'There are no callers yet.' : `The issuer ${token} has no callers yet.`}{' '}
      {asked.some(({ register }) => register)
        ? 'The first valid token of a caller creates it.'
        : 'Its tokens do not create callers (register: false): add them here.'}{' '}
      <Link to="/system">System</Link> shows how many tokens were accepted or refused, and why.
    </>
  );
}

function NoKeys({ filters, onCreate }: { readonly filters: KeyFilters; readonly onCreate?: () => void }) {
  if (isFiltered(filters)) {
    return (
      <Empty icon={KeyRound} title="No matching keys" action={<ClearFilters />}>
        {filters.q === undefined ? (
          <NoneWith filters={filters} />
        ) : (
          'The search looks at names, owners, ids and the beginnings of secrets.'
        )}
      </Empty>
    );
  }
  const create = onCreate !== undefined && (
    <Button kind="primary" icon={Plus} onClick={onCreate}>
      Create a key
    </Button>
  );
  return (
    <Empty icon={KeyRound} title="No keys yet" action={create}>
      <p>A consumer calls the API with a key, within the limits of a plan. To create one from a terminal:</p>
      <code>tollgate keys create --owner acme --name Shop --plan free</code>
    </Empty>
  );
}
