import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Layers, PenLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import { Fact, Facts, Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { DeletePlanDialog, EditPlanDialog } from '../../actions/lazy-dialogs.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import type { Plan } from '../../api/plans.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { planQuery, plansWithKeysQuery } from '../../api/plans.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyName } from '../../parts/keys/key-name.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';
import { Traffic } from '../../parts/traffic.tsx';
import { useSession } from '../../session/session-context.ts';

const ON_FAILURE = {
  local: 'each gateway counts on its own',
  open: 'all calls are allowed',
  closed: 'all calls are refused',
};

/** Shows what a plan allows, and which keys are affected by it. */
export function PlanScreen() {
  const { id } = useParams({ from: '/plans/$id' });
  const read = useQuery(planQuery(id));
  // If another user deletes the plan, its old data stays in the cache. The 404 decides.
  if (read.data !== undefined && !isStatus(read.error, 404))
    return <OnePlan plan={read.data.plan} etag={read.data.etag} />;
  return (
    <Page title="Plan" above={<Link to="/plans">Plans</Link>}>
      {read.isPending && <Loading label="Loading the plan" />}
      {isStatus(read.error, 404) ? (
        <Empty icon={Layers} title="This plan does not exist">
          It was deleted, or it belongs to another installation.
        </Empty>
      ) : (
        read.isError && <ReadFailure query={read} what="the plan" />
      )}
    </Page>
  );
}

function OnePlan({ plan, etag }: { readonly plan: Plan; readonly etag?: string }) {
  const period = readPeriod(useSearch({ from: '/plans/$id' }));
  const { limits, mode } = plan;
  const active = useQuery(plansWithKeysQuery).data?.find(({ id }) => id === plan.id)?.activeKeys;
  return (
    <Page
      title={plan.name}
      above={<Link to="/plans">Plans</Link>}
      heading={<bdi>{plan.name}</bdi>}
      summary={
        <p>
          {limits === null ? (
            'Each key has its own limits.'
          ) : (
            <>
              <strong>{formatCount(limits.minute)}</strong> requests a minute,{' '}
              <strong>{formatCount(limits.day)}</strong> a day
              {limits.month !== undefined && (
                <>
                  {' '}
                  and <strong>{formatCount(limits.month)}</strong> a month
                </>
              )}
              {mode === 'shadow' ? '. Shadow mode: requests over these limits are reported, not refused.' : '.'}
            </>
          )}
          {active !== undefined && ` ${pluralize(active, 'active key')}.`}
        </p>
      }
      actions={<PlanActions plan={plan} etag={etag} />}
    >
      <Facts>
        <Fact name="Id">
          <code>{plan.id}</code>
        </Fact>
        <Fact name="Requests at once">
          {plan.concurrent === null ? 'any number' : `at most ${formatCount(plan.concurrent)} per key and gateway`}
        </Fact>
        <Fact name="Mode">{findStateWord(mode)}</Fact>
        <Fact name="Operations">{plan.operations === null ? 'all' : plan.operations.join(', ')}</Fact>
        {plan.priceText !== '' && (
          <Fact name="Price">
            <bdi>{plan.priceText}</bdi>
          </Fact>
        )}
        <Fact name="While the counters are unreachable">{ON_FAILURE[plan.onStoreFailure]}</Fact>
        <Fact name="Description" isWide>
          <bdi>{plan.description === '' ? 'none' : plan.description}</bdi>
        </Fact>
      </Facts>
      <Traffic period={period} filters={{ plan: plan.id }} />
      <Section
        title="Busiest keys"
        aside={
          <Link to="/keys" search={{ plan: plan.id }}>
            All keys on this plan
          </Link>
        }
      >
        <Ranking
          period={period}
          by="key"
          filters={{ plan: plan.id }}
          header="Key"
          caption="Keys on the plan with the most requests"
          nameOf={(id) => <KeyName id={id} />}
          empty={<p className={parts.none}>No requests with keys on this plan.</p>}
        />
      </Section>
      <Section title="Changes">
        <AuditTable filters={{ subject: plan.id }} short />
      </Section>
    </Page>
  );
}

function PlanActions({ plan, etag }: { readonly plan: Plan; readonly etag?: string }) {
  const { canChange } = useSession();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  // The plan and version that the user saw when the dialog was opened, so that a later change by another user is
  // detected.
  const [seen, setSeen] = useState({ plan, etag });
  if (!canChange) return null;
  const open = (what: 'edit' | 'delete') => {
    setSeen({ plan, etag });
    setOpened(what);
  };
  const close = () => setOpened(null);
  return (
    <>
      <Button icon={PenLine} onClick={() => open('edit')}>
        Edit…
      </Button>
      <MoreMenu
        label="More actions for this plan"
        items={[{ label: 'Delete…', icon: Trash2, danger: true, onSelect: () => open('delete') }]}
      />
      {opened === 'edit' && <EditPlanDialog plan={seen.plan} etag={seen.etag} onClose={close} />}
      {opened === 'delete' && (
        <DeletePlanDialog plan={seen.plan} onClose={close} onDeleted={() => void navigate({ to: '/plans' })} />
      )}
    </>
  );
}
