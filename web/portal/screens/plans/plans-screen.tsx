import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Send } from 'lucide-react';
import { useState } from 'react';
import { count } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type Plan, planRequestsQuery, plansQuery } from '../../api/plans.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';
import { PlanRequests } from './plan-requests.tsx';
import { RequestPlanDialog } from './request-plan-dialog.tsx';
import { includedInWords } from './selectors-in-words.ts';
import styles from './plans-screen.module.css';

/** How much may I call, and how do I get more? */
export function PlansScreen() {
  const plans = useQuery(plansQuery);
  const { canChange } = useSession();
  const requests = useQuery({ ...planRequestsQuery, enabled: canChange });
  const [wanted, setWanted] = useState<Plan | null>(null);
  const knownPlans = plans.data === undefined ? [] : [plans.data.current, ...plans.data.requestable];
  const isWaiting = requests.data?.some(({ status }) => status === 'open') === true;
  return (
    <Page
      title="Plans"
      answer={
        plans.data !== undefined && (
          <p>
            You are on <strong>{plans.data.current.name}</strong>.{' '}
            {canChange
              ? 'All keys that you create here share its limits.'
              : 'Sign in to your account to request another plan.'}
          </p>
        )
      }
    >
      {plans.isPending && <Loading label="Loading the plans" />}
      {plans.isError && plans.data === undefined && <ReadFailure query={plans} what="the plans" />}
      {plans.data !== undefined && (
        <div className={parts.cards}>
          <PlanCard plan={plans.data.current} isCurrent />
          {plans.data.requestable.map((plan) => (
            <PlanCard key={plan.id} plan={plan} onAsk={isWaiting ? undefined : () => setWanted(plan)} />
          ))}
        </div>
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

interface CardProps {
  readonly plan: Plan;
  readonly isCurrent?: boolean;
  /** Left out while an earlier request waits. */
  readonly onAsk?: () => void;
}

function PlanCard({ plan: { name, description, limits, operations }, isCurrent = false, onAsk }: CardProps) {
  return (
    <article className={parts.card} data-current={isCurrent}>
      <header className={parts.cardHead}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {isCurrent && (
          <Badge tone="accent" icon={CircleCheck}>
            Your plan
          </Badge>
        )}
      </header>
      {description !== '' && <p className={parts.muted}>{description}</p>}
      {limits === null ? (
        <p>Custom limits</p>
      ) : (
        <dl className={styles.limits}>
          <div>
            <dd>{count(limits.minute)}</dd>
            <dt>calls a minute</dt>
          </div>
          <div>
            <dd>{count(limits.day)}</dd>
            <dt>calls a day</dt>
          </div>
          {limits.month !== undefined && (
            <div>
              <dd>{count(limits.month)}</dd>
              <dt>calls a month</dt>
            </div>
          )}
        </dl>
      )}
      <p className={parts.muted}>{includedInWords(operations)}</p>
      {onAsk !== undefined && (
        <Button icon={Send} onClick={onAsk}>
          Request {name}…
        </Button>
      )}
    </article>
  );
}
