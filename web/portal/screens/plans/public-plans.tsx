import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { publicPlansQuery } from '../../api/front.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { PlanCard, PlanCards } from './plan-card.tsx';

/** Shows the plans and their limits to visitors without a session. */
export function PublicPlans() {
  return (
    <Page title="Plans" summary={<p>What each plan includes. You can change to another plan later.</p>}>
      <OfferedPlans />
    </Page>
  );
}

/** Shows the plans that every visitor may request, side by side. */
export function OfferedPlans() {
  const plans = useQuery(publicPlansQuery);
  if (plans.isPending) return <Loading label="Loading the plans" />;
  if (plans.data === undefined) return <ReadFailure query={plans} what="the plans" />;
  return (
    <PlanCards>
      {plans.data.map((plan) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          action={
            <Link to="/access" search={{ plan: plan.id }} className={buttonClass('plain')}>
              <span>
                Choose <bdi>{plan.name}</bdi>
              </span>
            </Link>
          }
        />
      ))}
    </PlanCards>
  );
}
