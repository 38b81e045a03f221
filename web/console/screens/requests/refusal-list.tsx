import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { findOutcomeWords } from '../../../shared/traffic/outcomes.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterChip } from '../../../shared/ui/controls/filter-chip.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import {
  type NamingFilter,
  type RefusalFilters,
  refusalsQuery,
  findUnknownFilters,
} from '../../api/history/history.ts';
import { keyQuery } from '../../api/keys.ts';
import { operationsQuery } from '../../api/operations.ts';
import { ownersLikeQuery } from '../../api/owners.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { useFoldedPages, useNextPage } from '../../../shared/behavior/next-page.ts';
import { createRefusalId, foldByKey, foldNeighbors } from '../../../shared/traffic/folded-refusals.ts';
import { createListColumns } from '../../parts/refusals/refusal-columns.tsx';
import { withoutSecret } from '../../parts/without-secret.ts';
import styles from './refusal-list.module.css';

/** Codes of the refusals of requests with a known key, the most frequent first. */
const CODES = [
  'rate_limit_exceeded',
  'quota_exceeded',
  'key_banned',
  'too_many_concurrent_requests',
  'cost_exceeds_limit',
  'key_expired',
  'key_revoked',
  'operation_not_allowed',
  'insufficient_scope',
  'address_not_allowed',
  'operation_brownout',
  'operation_sunset',
  'route_not_found',
  'method_not_allowed',
  'validation_failed',
  'body_too_large',
  'too_many_connections',
];

const REASONS = CODES.map((code) => ({ value: code, label: findOutcomeWords(code) ?? code }));

/** Lists the newest refusals of all keys, to choose from if the user knows no request id. */
export function RefusalList({ filters }: { readonly filters: RefusalFilters }) {
  const { shown, unknown } = useShownFilters(filters);
  const list = useInfiniteQuery(refusalsQuery(shown));
  const { hasNextPage, isFetchingNextPage } = list;
  const { more, readOn } = useFoldedPages(list);
  const next = useNextPage(list);
  const columns = useMemo(() => createListColumns(shown), [shown]);
  const refusals = list.data?.pages.flatMap(({ items }) => items);
  // The gateway reads only some refusals for each page, so later pages may have matches even if this one is empty.
  const isLooking = refusals?.length === 0 && hasNextPage;
  useEffect(() => {
    if (isLooking) next();
  }, [isLooking, next]);
  return (
    <Section title="Refused in the last 48 hours" aside={<Freshness query={list} />}>
      <Filters filters={filters} unknown={unknown} />
      {(list.isPending || isLooking) && <Loading rows={6} label="Loading the refusals" />}
      {list.isError && refusals === undefined && <ReadFailure query={list} what="the refusals" />}
      {refusals?.length === 0 && !isLooking && <NoRefusals filtered={Object.keys(filters).length > 0} />}
      {refusals !== undefined && refusals.length > 0 && (
        <DataTable
          caption="Refused requests, newest first"
          columns={columns}
          rows={shown.key === undefined ? foldByKey(refusals) : foldNeighbors(refusals)}
          rowId={createRefusalId}
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

/**
 * Finds the filters to apply to the list. While a filter names something that does not exist, the previous filters
 * stay.
 */
function useShownFilters(filters: RefusalFilters) {
  const asked = useInfiniteQuery(refusalsQuery(filters));
  const [loadedFilters, setAnswered] = useState<RefusalFilters | null>(null);
  if (asked.isSuccess && loadedFilters !== filters) setAnswered(filters);
  const unknown = findUnknownFilters(asked.error);
  const before = loadedFilters ?? without(filters, unknown);
  return { shown: asked.isPending || unknown.length > 0 ? before : filters, unknown };
}

function without(filters: RefusalFilters, names: readonly NamingFilter[]): RefusalFilters {
  return { ...filters, ...Object.fromEntries(names.map((name) => [name, undefined])) };
}

interface FiltersProps {
  readonly filters: RefusalFilters;
  readonly unknown: readonly NamingFilter[];
}

function Filters({ filters, unknown }: FiltersProps) {
  const { owner = '', code = '', key = '', operation = '' } = filters;
  const navigate = useNavigate({ from: '/requests' });
  const owners = useQuery(ownersLikeQuery('')).data?.items ?? [];
  const operations = useQuery(operationsQuery).data ?? [];
  const set = (change: RefusalFilters) => void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  return (
    <div>
      <Toolbar>
        <FilterText
          label="Owner"
          placeholder="Id of an owner"
          value={owner}
          suggestions={owners.map((one) => one.owner)}
          onChange={(text) => set({ owner: text.trim() })}
        />
        <KeyFilter id={key} onChange={(id) => set({ key: id })} />
        <FilterText
          label="Operation"
          placeholder="Id of an operation"
          value={operation}
          suggestions={operations.map(({ id }) => id)}
          onChange={(text) => set({ operation: text.trim() })}
        />
        <FilterSelect label="Reason" value={code} options={REASONS} onChange={(value) => set({ code: value })} />
      </Toolbar>
      {unknown.map((name) => (
        <p key={name} role="status" className={styles.unknown}>
          There is no {name} “<bdi>{filters[name]}</bdi>”. Ids are case-sensitive.
        </p>
      ))}
    </div>
  );
}

/** A chip with the name of the key if the id exists; otherwise a text field for the id. */
function KeyFilter({ id, onChange }: { readonly id: string; readonly onChange: (id: string) => void }) {
  const key = useQuery({ ...keyQuery(id), enabled: id !== '' }).data;
  if (key === undefined) {
    return (
      <FilterText
        label="Key"
        placeholder="Id of a key"
        value={id}
        onChange={(text) => onChange(withoutSecret(text.trim()))}
      />
    );
  }
  return (
    <FilterChip onClick={() => onChange('')} aria-label={`Key: ${key.name}. Show all keys`}>
      Key: <bdi>{key.name}</bdi>
    </FilterChip>
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
