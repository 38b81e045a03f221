import { useQuery } from '@tanstack/react-query';
import { useSettled } from '../../../shared/behavior/use-settled.ts';
import { accountOfOwnerQuery } from '../../api/accounts.ts';
import { isOwnerId } from '../../api/owner-id.ts';
import { proposePlan } from '../../api/plan-content.ts';
import { formatPlan } from '../../api/limits.ts';
import type { Plan } from '../../api/plans.ts';
import { configurationQuery } from '../../api/system.ts';

const TYPING_PAUSE_MS = 200;

interface ProposedPlan {
  readonly isLookedUp: boolean;
  /** Undefined while it is looked up, and if all plans are in shadow mode. */
  readonly plan: Plan | undefined;
}

/**
 * Proposes the plan of the owner's account, or else the plan of new accounts.
 *
 * @param owner may be empty
 */
export function useProposedPlan(owner: string, plans: readonly Plan[]): ProposedPlan {
  const settled = useSettled(owner, TYPING_PAUSE_MS);
  const account = useQuery({ ...accountOfOwnerQuery(settled), enabled: isOwnerId(settled) });
  const configuration = useQuery(configurationQuery);
  const isLookedUp = settled === owner && !account.isLoading && !configuration.isLoading;
  if (!isLookedUp) return { isLookedUp, plan: undefined };
  const ofPortal = configuration.data?.settings.find(({ name }) => name === 'portal.plan')?.value;
  return { isLookedUp, plan: proposePlan(plans, [account.data?.plan, ofPortal]) };
}

/** The message while no plan is chosen. */
export function describePlanNeed({ isLookedUp }: ProposedPlan): string {
  return isLookedUp ? 'Choose a plan.' : 'The owner’s plan is being looked up.';
}

/** Creates the options of a field for a plan. */
export function createPlanOptions(plans: readonly Plan[], isChosen = true) {
  const choices = plans.map((each) => ({ value: each.id, label: formatPlan(each) }));
  return isChosen ? choices : [{ value: '', label: 'Choose a plan' }, ...choices];
}
