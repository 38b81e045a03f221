import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { outcomeWords } from '../../../shared/traffic/outcomes.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type RefusalFilters, refusalsQuery } from '../../api/history/history.ts';
import { keyQuery } from '../../api/keys.ts';
import { ownersLikeQuery } from '../../api/owners.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { useFoldedPages, useNextPage } from '../../parts/next-page.ts';
import { folded, foldedByKey, listColumns, refusalId } from '../../parts/refusals/refusal-columns.tsx';

/** What requests with a known key are refused with, the most frequent first. */
const CODES = [
  'rate_limit_exceeded',
  'quota_exceeded',
  'key_banned',
  'cost_exceeds_limit',
  'key_expired',
  'key_revoked',
  'operation_not_allowed',
  'address_not_allowed',
  'operation_brownout',
  'operation_sunset',
  'route_not_found',
  'method_not_allowed',
  'validation_failed',
  'body_too_large',
  'too_many_connections',
];

const REASONS = CODES.map((code) => ({ value: code, label: outcomeWords(code) ?? code }));

/** The newest refusals of all keys: to pick from, where no id is known. */
export function RefusalList({ filters }: { readonly filters: RefusalFilters }) {
  const list = useInfiniteQuery(refusalsQuery(filters));
  const { hasNextPage, isFetchingNextPage } = list;
  const { more, readOn } = useFoldedPages(list);
  const next = useNextPage(list);
  const refusals = list.data?.pages.flatMap(({ items }) => items);
  // The gateway reads some refusals at a time: a page without a match says nothing about the next ones.
  const isLooking = refusals?.length === 0 && hasNextPage;
  useEffect(() => {
    if (isLooking) next();
  }, [isLooking, next]);
  return (
    <Section title="Refused in the last 48 hours" aside={<Freshness query={list} />}>
      <Filters filters={filters} />
      {(list.isPending || isLooking) && <Loading rows={6} label="Loading the refusals" />}
      {list.isError && refusals === undefined && <ReadFailure query={list} what="the refusals" />}
      {refusals?.length === 0 && !isLooking && <NoRefusals filtered={Object.keys(filters).length > 0} />}
      {refusals !== undefined && refusals.length > 0 && (
        <DataTable
          caption="Refused requests, newest first"
          columns={listColumns}
          rows={filters.key === undefined ? foldedByKey(refusals) : folded(refusals)}
          rowId={refusalId}
          order="-at"
          onEnd={more}
        />
      )}
      {readOn !== undefined && (
        <div>
          <Button onClick={readOn}>Show older refusals</Button>
        </div>
      )}
      {isFetchingNextPage && !isLooking && <Loading rows={2} label="Loading more refusals" />}
    </Section>
  );
}

function Filters({ filters: { owner = '', code = '', key } }: { readonly filters: RefusalFilters }) {
  const navigate = useNavigate({ from: '/requests' });
  const owners = useQuery(ownersLikeQuery('')).data?.items ?? [];
  const set = (change: RefusalFilters) => void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  return (
    <Toolbar>
      <FilterText
        label="Owner"
        placeholder="Id of an owner"
        value={owner}
        suggestions={owners.map((one) => one.owner)}
        onChange={(text) => set({ owner: text.trim() })}
      />
      <FilterSelect label="Reason" value={code} options={REASONS} onChange={(value) => set({ code: value })} />
      {key !== undefined && <KeyFilter id={key} onClear={() => set({ key: undefined })} />}
    </Toolbar>
  );
}

function KeyFilter({ id, onClear }: { readonly id: string; readonly onClear: () => void }) {
  const name = useQuery(keyQuery(id)).data?.name ?? id;
  return (
    <Button icon={X} onClick={onClear} aria-label={`Key: ${name}. Show all keys`}>
      Key: <bdi>{name}</bdi>
    </Button>
  );
}

function NoRefusals({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <Empty icon={CircleCheck} title="No matching refusals" action={<ClearFilters />} />;
  return (
    <Empty icon={CircleCheck} title="No refusals">
      No request with a known key was refused. For each key and reason, the first five refusals of a minute are listed
      here.
    </Empty>
  );
}
