import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { useCallback } from 'react';
import { count } from '../../../shared/format/number.ts';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type KeyOwner, ownersQuery } from '../../api/owners.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { OwnerLink } from '../../parts/owner-link.tsx';

const columns: readonly Column<KeyOwner>[] = [
  { id: 'owner', header: 'Owner', cell: ({ owner }) => <OwnerLink owner={owner} row /> },
  { id: 'active', header: 'Active keys', numeric: true, width: '110px', cell: ({ activeKeys }) => count(activeKeys) },
  {
    id: 'keys',
    header: 'All keys',
    numeric: true,
    width: '100px',
    hideBelow: 'narrow',
    cell: ({ keys }) => count(keys),
  },
];

/** Every owner of a key, also those without recent requests. */
export function AllOwners({ search }: { readonly search: string }) {
  const list = useInfiniteQuery(ownersQuery(search));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the owners" /> : <Loading rows={6} />;
  const owners = list.data.pages.flatMap(({ items }) => items);
  if (owners.length === 0) return <NoOwner filtered={search !== ''} />;
  return (
    <DataTable caption="Owners, by name" columns={columns} rows={owners} rowId={({ owner }) => owner} onEnd={more} />
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
