import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type Plan, planRequestsQuery, plansQuery } from '../../api/plans.ts';
import { usageQuery } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';
import { PlanCard, PlanCards } from './plan-card.tsx';
import { PlanRequests } from './plan-requests.tsx';
import { RequestPlanDialog } from './request-plan-dialog.tsx';

function Waiting() {
  return <p className={parts.small}>You have an open request: see below.</p>;
}

/** How much may I call, and how do I get more? */
export function OwnPlans() {
  const plans = useQuery(plansQuery);
  const { canChange } = useSession();
  const requests = useQuery({ ...planRequestsQuery, enabled: canChange });
  // That of the account, or of the key that is signed in, is the first.
  const quotas = useQuery(usageQuery).data ?? [];
  const [usage] = quotas;
  const [wanted, setWanted] = useState<Plan | null>(null);
  const knownPlans = plans.data === undefined ? [] : [plans.data.current, ...plans.data.requestable];
  const askFor = (plan: Plan) => (
    <Button icon={Send} onClick={() => setWanted(plan)}>
      Request {plan.name}…
    </Button>
  );
  const isWaiting = requests.data?.some(({ status }) => status === 'open') === true;
  return (
    <Page
      title="Plans"
      answer={
        plans.data !== undefined && (
          <p>
            You are on <strong>{plans.data.current.name}</strong>.{' '}
            {canChange
              ? `All keys that you create here share its limits.${quotas.length > 1 ? ' Your other keys keep their own.' : ''}`
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
            <PlanCard key={plan.id} plan={plan} usage={usage} action={isWaiting ? <Waiting /> : askFor(plan)} />
          ))}
        </PlanCards>
      )}
      {canChange && requests.data !== undefined && requests.data.length > 0 && (
        <Section title="Your requests">
          <PlanRequests requests={requests.data} plans={knownPlans} />
        </Section>
      )}
      {wanted !== null && <RequestPlanDialog plan={wanted} onClose={() => setWanted(null)} />}
    </Page>
  );
}
