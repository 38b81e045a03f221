import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileDiff, Waypoints } from 'lucide-react';
import { useCallback } from 'react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { formatCount, formatMilliseconds, pluralize } from '../../../shared/format/number.ts';
import { sortRows, type SortValues } from '../../../shared/ui/data/sorting.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { buttonClass, ButtonContent } from '../../../shared/ui/controls/button.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { UsageHistory, UsageTotals } from '../../../shared/traffic/usage-history.ts';
import { operationTotalsQuery } from '../../api/history/history.ts';
import { type Operation, operationsQuery } from '../../api/operations.ts';
import { type ViolatedOperation, violatedOperationsQuery } from '../../api/violations.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { LifecycleState, PublicBadge } from '../../parts/lifecycle-state.tsx';
import { OperationName } from '../../parts/operation-name.tsx';
import parts from '../../parts/parts.module.css';
import { PeriodSelect } from '../../../shared/traffic/period-select.tsx';
import { Failures, ShareOf } from '../../../shared/traffic/share-of.tsx';

interface Row {
  readonly operation: Operation;
  /** Undefined until the totals are loaded. */
  readonly totals: Totals | undefined;
  /**
   * The number of requests that did not fit the document. Undefined until the counts are loaded, and if requests of the
   * operation are not compared with it.
   */
  readonly invalid: number | undefined;
}

type Totals = Pick<UsageTotals, 'requests' | 'errors' | 'clientErrors' | 'p95Ms'>;

const NEVER_CALLED: Totals = { requests: 0, errors: 0, clientErrors: 0, p95Ms: null };
const STATES = [
  { value: 'deprecated', label: findStateWord('deprecated') },
  { value: 'unstable', label: 'Not stable' },
  { value: 'public', label: findStateWord('public') },
  { value: 'invalid', label: 'Called with invalid requests' },
];

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Operation',
    sortKey: 'name',
    cell: (row) => <Name row={row} />,
  },
  {
    id: 'state',
    header: 'Status',
    sortKey: 'state',
    width: '132px',
    hideBelow: 'narrow',
    cell: ({ operation }) => <LifecycleState lifecycle={operation.lifecycle} />,
  },
  {
    id: 'sunset',
    header: 'Sunset',
    sortKey: 'sunset',
    width: '120px',
    hideBelow: 'medium',
    cell: ({ operation }) => sunset(operation),
  },
  {
    id: 'upstream',
    header: 'Service',
    sortKey: 'upstream',
    width: '110px',
    hideBelow: 'wide',
    cell: ({ operation }) => operation.upstream,
  },
  {
    id: 'cost',
    header: 'Cost',
    sortKey: 'cost',
    descendsFirst: true,
    numeric: true,
    width: '60px',
    hideBelow: 'wide',
    cell: ({ operation }) => operation.cost,
  },
  {
    id: 'requests',
    header: 'Requests',
    sortKey: 'requests',
    descendsFirst: true,
    numeric: true,
    width: '92px',
    cell: ({ totals }) => (totals === undefined ? '–' : formatCount(totals.requests)),
  },
  {
    id: 'clientErrors',
    header: '4xx',
    sortKey: 'clientErrors',
    descendsFirst: true,
    numeric: true,
    width: '80px',
    hideBelow: 'wide',
    cell: ({ totals }) =>
      totals === undefined ? '–' : <ShareOf what="clientErrors" part={totals.clientErrors} of={totals.requests} />,
  },
  {
    id: 'errors',
    header: 'Errors',
    sortKey: 'errors',
    descendsFirst: true,
    numeric: true,
    width: '76px',
    hideBelow: 'narrow',
    cell: ({ totals }) =>
      totals === undefined ? '–' : <ShareOf what="errors" part={totals.errors} of={totals.requests} />,
  },
  {
    id: 'invalid',
    header: 'Invalid',
    sortKey: 'invalid',
    descendsFirst: true,
    numeric: true,
    width: '84px',
    hideBelow: 'medium',
    cell: ({ invalid }) => (invalid === undefined ? '–' : formatCount(invalid)),
  },
  {
    id: 'p95',
    header: 'p95',
    sortKey: 'p95',
    descendsFirst: true,
    numeric: true,
    width: '84px',
    hideBelow: 'narrow',
    cell: ({ totals }) => (totals?.p95Ms == null ? '–' : formatMilliseconds(totals.p95Ms)),
  },
];

/**
 * The values by which the columns sort. An operation without calls has no share of errors, so it has no value there.
 */
const VALUES: SortValues<Row> = {
  name: ({ operation: { path, method } }) => `${path} ${method}`,
  state: ({ operation: { lifecycle } }) => (lifecycle.deprecated ? 'deprecated' : lifecycle.stability),
  sunset: ({ operation }) => operation.lifecycle.sunsetAt,
  upstream: ({ operation }) => operation.upstream,
  cost: ({ operation }) => operation.cost,
  requests: ({ totals }) => totals?.requests,
  clientErrors: ({ totals }) => totals && calculateShare(totals.clientErrors, totals.requests),
  errors: ({ totals }) => totals && calculateShare(totals.errors, totals.requests),
  invalid: ({ invalid }) => invalid,
  p95: ({ totals }) => totals?.p95Ms,
};

function calculateShare(part: number, requests: number): number | null {
  return requests === 0 ? null : part / requests;
}

export function OperationsScreen() {
  const { q = '', state = '', ...given } = useSearch({ from: '/operations' });
  const period = readPeriod(given);
  const operations = useQuery(operationsQuery);
  const history = useQuery(operationTotalsQuery(period));
  const totalsOf = totalsIn(history.data);
  const violated = useQuery(violatedOperationsQuery(period)).data?.items;
  const rows = (operations.data ?? [])
    .map((operation) => ({ operation, totals: totalsOf(operation), invalid: countInvalid(operation, violated) }))
    .filter((row) => matches(row, q, state));
  const sorting = useSortInUrl('-requests');
  useRowShortcuts();
  return (
    <ListPage
      title="Operations"
      summary={<OperationsSummary operations={operations.data} totalsOf={totalsOf} words={period.words} />}
      actions={
        <>
          <Freshness query={history} />
          <Link to="/documents" className={buttonClass('plain')}>
            <ButtonContent icon={FileDiff}>Compare a document…</ButtonContent>
          </Link>
        </>
      }
    >
      <OperationsToolbar q={q} state={state} aside={<PeriodSelect period={period} />} />
      {operations.isPending && <Loading rows={8} />}
      {operations.isError && operations.data === undefined && <ReadFailure query={operations} what="the operations" />}
      {operations.data !== undefined && history.isError && history.data === undefined && (
        <ReadFailure query={history} what="the usage" />
      )}
      {operations.data !== undefined && rows.length === 0 && (
        <Empty icon={Waypoints} title="No matching operations" action={q + state !== '' && <ClearFilters />}>
          Operations come from the OpenAPI documents of the services behind the gateway.
        </Empty>
      )}
      {rows.length > 0 && (
        <DataTable
          caption="Operations"
          columns={columns}
          rows={sortRows(rows, VALUES, sorting.sort)}
          sorting={sorting}
          rowId={({ operation }) => operation.id}
        />
      )}
    </ListPage>
  );
}

function OperationsToolbar({
  q,
  state,
  aside,
}: {
  readonly q: string;
  readonly state: string;
  readonly aside: React.ReactNode;
}) {
  const navigate = useNavigate({ from: '/operations' });
  const set = useCallback(
    (change: Record<string, string>) => void navigate({ search: (all) => ({ ...all, ...change }), replace: true }),
    [navigate],
  );
  return (
    <Toolbar aside={aside}>
      <FilterText
        label="Filter the operations"
        placeholder="Path, method or id"
        value={q}
        onChange={(text) => set({ q: text })}
      />
      <FilterSelect label="Status" value={state} options={STATES} onChange={(value) => set({ state: value })} />
    </Toolbar>
  );
}

/**
 * The name of an operation. On phones, which hide the other columns, it also shows an unusual status and a high share
 * of failures.
 */
function Name({ row: { operation, totals } }: { readonly row: Row }) {
  const { deprecated, stability } = operation.lifecycle;
  return (
    <>
      <OperationName id={operation.id} operation={operation} /> {operation.public && <PublicBadge />}
      {(deprecated || stability !== 'stable') && (
        <span className={parts.onPhones}>
          <LifecycleState lifecycle={operation.lifecycle} />
        </span>
      )}
      {totals !== undefined && <Failures totals={totals} />}
    </>
  );
}

/** Counts the operations, and says how many of the deprecated ones are still called. */
function OperationsSummary({
  operations,
  totalsOf,
  words,
}: {
  readonly operations?: readonly Operation[];
  readonly totalsOf: TotalsOf;
  readonly words: string;
}) {
  if (operations === undefined) return null;
  const deprecated = operations.filter(({ lifecycle }) => lifecycle.deprecated);
  const counts = deprecated.map((operation) => totalsOf(operation)?.requests);
  const called = counts.filter((requests) => requests !== undefined && requests > 0).length;
  return (
    <p>
      <strong>{pluralize(operations.length, 'operation')}</strong>, {deprecated.length} deprecated
      {deprecated.length > 0 && !counts.includes(undefined) && ` (${called === 0 ? 'none' : called} called ${words})`}
    </p>
  );
}

type TotalsOf = (operation: Operation) => Totals | undefined;

/**
 * Returns a function that finds the totals of an operation. One without a series had no calls, unless the API counted
 * some operations together as others; then its totals are unknown.
 */
function totalsIn(history: UsageHistory | undefined): TotalsOf {
  const totals = new Map(history?.series.map((one) => [one.group, one.totals]));
  const rest = history?.others === null ? NEVER_CALLED : undefined;
  return ({ id }) => totals.get(id) ?? rest;
}

/**
 * The number of requests that did not fit. Undefined until the counts are loaded, and for operations whose requests are
 * not compared.
 */
function countInvalid({ id, validation }: Operation, violated: readonly ViolatedOperation[] | undefined) {
  const found = violated?.find(({ operation }) => operation === id);
  if (found !== undefined) return found.requests;
  return violated === undefined || validation.mode === 'off' ? undefined : 0;
}

function matches({ operation, invalid = 0 }: Row, q: string, state: string): boolean {
  const { id, method, path, lifecycle } = operation;
  if (state === 'invalid' && invalid === 0) return false;
  if (state === 'public' && !operation.public) return false;
  if (state === 'deprecated' && !lifecycle.deprecated) return false;
  if (state === 'unstable' && lifecycle.stability === 'stable') return false;
  return `${method} ${path} ${id}`.toLowerCase().includes(q.toLowerCase());
}

function sunset({ lifecycle: { sunsetAt } }: Operation) {
  return sunsetAt === null ? '–' : <Time at={sunsetAt} />;
}
