import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { pluralize } from '../../../shared/format/number.ts';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type Key, keysQuery } from '../../api/keys.ts';
import { type Plan, planRequestsQuery, plansQuery } from '../../api/plans.ts';
import { type QuotaUsage, usageQuery } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';
import { PlanCard, PlanCards } from './plan-card.tsx';
import { PlanRequests } from './plan-requests.tsx';
import { RequestPlanDialog } from './request-plan-dialog.tsx';

function Waiting({ planName }: { readonly planName: string }) {
  return <p className={parts.small}>You have an open request for {planName}: see below.</p>;
}

const MAX_NAMED = 3;

/** Names the keys that do not count toward the account's quota, such as keys that an operator created. */
function listKeyNames(quotas: readonly QuotaUsage[], keys: readonly Key[]): string | null {
  const ids = new Set(quotas.flatMap((quota) => quota.keys));
  const names = keys.filter(({ id, rotatedTo }) => ids.has(id) && rotatedTo === null).map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${pluralize(more, 'more key')}` : '');
}

/** Shows how much the user may call, and how to get more. */
export function OwnPlans() {
  const plans = useQuery(plansQuery);
  const { canChange } = useSession();
  const requests = useQuery({ ...planRequestsQuery, enabled: canChange });
  // The first quota is the one of the account, or of the key with which the user signed in.
  const [usage, ...otherQuotas] = useQuery(usageQuery).data ?? [];
  const otherKeys = listKeyNames(otherQuotas, useQuery(keysQuery).data?.items ?? []);
  const [wanted, setWanted] = useState<Plan | null>(null);
  const knownPlans = plans.data === undefined ? [] : [plans.data.current, ...plans.data.requestable];
  const nameOf = (planId: string) => knownPlans.find(({ id }) => id === planId)?.name ?? planId;
  const askFor = (plan: Plan) => (
    <Button icon={Send} onClick={() => setWanted(plan)}>
      Request {plan.name}…
    </Button>
  );
  const open = requests.data?.find(({ status }) => status === 'open');
  return (
    <Page
      title="Plans"
      summary={
        plans.data !== undefined && (
          <p>
            You are on <strong>{plans.data.current.name}</strong>.{' '}
            {canChange
              ? `All keys that you create here share its limits.${otherKeys === null ? '' : ` This does not include ${otherKeys}: the team set their limits.`}`
              : 'Sign in to your account to request another plan.'}
          </p>
        )
      }
    >
      {plans.isPending && <Loading label="Loading the plans" />}
      {plans.isError && plans.data === undefined && <ReadFailure query={plans} what="the plans" />}
      {plans.data !== undefined && (
        <PlanCards>
          <PlanCard plan={plans.data.current} isCurrent usage={usage} />
          {plans.data.requestable.map((plan) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              usage={usage}
              action={open === undefined ? askFor(plan) : <Waiting planName={nameOf(open.plan)} />}
            />
          ))}
        </PlanCards>
      )}
      {canChange && requests.data !== undefined && requests.data.length > 0 && (
        <Section title="Your requests">
          <PlanRequests requests={requests.data} plans={knownPlans} />
        </Section>
      )}
      {wanted !== null && <RequestPlanDialog plan={wanted} otherKeys={otherKeys} onClose={() => setWanted(null)} />}
    </Page>
  );
}
