import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ghost, Layers, Plus, ShieldCheck } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { sortRows, type SortValues } from '../../../shared/ui/data/sorting.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { useShortcuts } from '../../../shared/behavior/shortcuts.ts';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { CreatePlanDialog } from '../../actions/lazy-dialogs.ts';
import { type ListedPlan, type Plan, plansWithKeysQuery } from '../../api/plans.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';

const columns: readonly Column<ListedPlan>[] = [
  { id: 'name', header: 'Plan', sortKey: 'name', cell: (plan) => <PlanName plan={plan} /> },
  {
    id: 'mode',
    header: 'Mode',
    sortKey: 'mode',
    width: '112px',
    hideBelow: 'narrow',
    cell: ({ mode }) => <PlanMode mode={mode} />,
  },
  {
    id: 'minute',
    header: 'Per minute',
    sortKey: 'minute',
    descendsFirst: true,
    numeric: true,
    width: '104px',
    cell: ({ limits }) => formatLimit(limits?.minute),
  },
  {
    id: 'day',
    header: 'Per day',
    sortKey: 'day',
    descendsFirst: true,
    numeric: true,
    width: '96px',
    cell: ({ limits }) => formatLimit(limits?.day),
  },
  {
    id: 'month',
    header: 'Per month',
    sortKey: 'month',
    descendsFirst: true,
    numeric: true,
    width: '104px',
    hideBelow: 'narrow',
    cell: ({ limits }) =>
      limits === null ? formatLimit(undefined) : limits.month === undefined ? '–' : formatCount(limits.month),
  },
  {
    id: 'operations',
    header: 'Operations',
    width: '260px',
    hideBelow: 'wide',
    cell: ({ operations }) => <bdi>{operations === null ? 'all' : inShort(operations)}</bdi>,
  },
  {
    id: 'keys',
    header: 'Active keys',
    sortKey: 'keys',
    descendsFirst: true,
    numeric: true,
    width: '112px',
    hideBelow: 'narrow',
    cell: (plan) => <KeysOf plan={plan} />,
  },
];

/** The values by which the columns sort. Without a sort order, the plans stay sorted by id, as the API returns them. */
const VALUES: SortValues<ListedPlan> = {
  name: ({ name }) => name,
  mode: ({ mode }) => mode,
  minute: ({ limits }) => limits?.minute,
  day: ({ limits }) => limits?.day,
  month: ({ limits }) => limits?.month,
  keys: ({ activeKeys }) => activeKeys,
};

const MAX_SELECTORS = 4;

/** Names the first selectors and counts the others. The screen of the plan lists all of them. */
function inShort(selectors: readonly string[]): string {
  const more = selectors.length - MAX_SELECTORS;
  return selectors.slice(0, MAX_SELECTORS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export function PlansScreen() {
  const plans = useQuery(plansWithKeysQuery);
  const sorting = useSortInUrl('');
  const { canChange } = useSession();
  const { opened, open, close } = useDialogInUrl();
  const create = useCallback(() => open('create'), [open]);
  useRowShortcuts();
  useShortcuts(useMemo(() => ({ n: canChange ? create : undefined }), [canChange, create]));
  return (
    <ListPage
      title="Plans"
      summary={plans.data !== undefined && <PlansSummary plans={plans.data} />}
      actions={
        canChange && (
          <Button kind="primary" icon={Plus} onClick={create}>
            Create a plan
          </Button>
        )
      }
    >
      {plans.isPending && <Loading rows={4} label="Loading the plans" />}
      {plans.isError && plans.data === undefined && <ReadFailure query={plans} what="the plans" />}
      {plans.data?.length === 0 && (
        <Empty icon={Layers} title="No plans">
          A plan sets the limits of its keys. To create the plans in a file, run{' '}
          <code>tollgate plans apply config/plans.yaml</code>.
        </Empty>
      )}
      {plans.data !== undefined && plans.data.length > 0 && (
        <DataTable
          caption="Plans"
          columns={columns}
          rows={sortRows(plans.data, VALUES, sorting.sort)}
          rowId={({ id }) => id}
          sorting={sorting}
        />
      )}
      {canChange && opened === 'create' && <CreatePlanDialog onClose={close} />}
    </ListPage>
  );
}

function PlansSummary({ plans }: { readonly plans: readonly Plan[] }) {
  const shadows = plans.filter(({ mode }) => mode === 'shadow').length;
  return (
    <p>
      <strong>{pluralize(plans.length, 'plan')}</strong>
      {shadows > 0 && `, of which ${shadows} only ${shadows === 1 ? 'reports' : 'report'} what would be refused`}
    </p>
  );
}

/** Links the number of active keys to their list. If some keys are not active, it adds the total. */
function KeysOf({ plan: { id, name, keys = 0, activeKeys = 0 } }: { readonly plan: ListedPlan }) {
  const shown = keys > activeKeys ? `${formatCount(activeKeys)} of ${formatCount(keys)}` : formatCount(activeKeys);
  return (
    // The label begins with the visible text, so that voice control finds the link.
    <Link
      to="/keys"
      search={{ plan: id }}
      aria-label={`${shown} active ${keys === 1 ? 'key' : 'keys'} on the plan ${name}`}
    >
      {formatCount(activeKeys)}
      {keys > activeKeys && <span className={parts.muted}> of {formatCount(keys)}</span>}
    </Link>
  );
}

function PlanName({ plan: { id, name, description } }: { readonly plan: Plan }) {
  return (
    <Link to="/plans/$id" params={{ id }} data-row-link className={parts.name}>
      <bdi>{name}</bdi>
      <span className={parts.detail}>
        <bdi>{description === '' ? id : description}</bdi>
      </span>
    </Link>
  );
}

export function PlanMode({ mode }: Pick<Plan, 'mode'>) {
  return (
    <Badge tone={mode === 'enforce' ? 'usual' : 'accent'} icon={mode === 'enforce' ? ShieldCheck : Ghost}>
      {findStateWord(mode)}
    </Badge>
  );
}

function formatLimit(limit: number | undefined): string {
  return limit === undefined ? 'per key' : formatCount(limit);
}
