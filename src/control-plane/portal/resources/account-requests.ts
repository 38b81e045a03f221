import { invalidField, Refused } from '../../api-server/refused.ts';
import type { Plan } from '../../../domain/plan.ts';
import { checkSignIn, type PublicUrl } from '../../sign-in/browser-session.ts';
import type { PortalAccessDependencies } from '../access/access-dependencies.ts';
import { type LimitCalls, createTooManyAccountRequests } from '../access/caller-limits.ts';
import type { PortalOperations } from './portal-handlers.ts';

interface AccountRequestDependencies extends Pick<PortalAccessDependencies, 'accounts' | 'clientAddress'> {
  /** Whether `portal.signUp` is `request`. */
  readonly isOpen: boolean;
  readonly publicUrl: PublicUrl;
  readonly offeredPlans: () => Promise<readonly Plan[]>;
  readonly limitAccountRequests: LimitCalls;
}

/** Requests for an account, from people who have none. */
export function createAccountRequestOperations({
  accounts,
  isOpen,
  publicUrl,
  clientAddress,
  offeredPlans,
  limitAccountRequests,
}: AccountRequestDependencies): Pick<PortalOperations, 'createAccountRequest'> {
  return {
    async createAccountRequest({ body: { name, email, purpose, plan: requestedPlan }, request, change }) {
      if (!isOpen) throw new Refused('route_not_found');
      checkSignIn(request, publicUrl);
      const plans = (await offeredPlans()).map(({ id }) => id);
      const plan = requestedPlan ?? plans[0];
      if (plan === undefined || !plans.includes(plan))
        throw invalidField('/plan', `must be one of ${plans.join(', ')}`);
      await limitAccountRequests(clientAddress(request));
      const accountRequest = { name, email: email.toLowerCase(), purpose, plan };
      const isStored = await accounts.accountRequests.create(accountRequest, { ...change, actor: 'visitor' });
      if (!isStored) throw createTooManyAccountRequests();
      return { status: 202 };
    },
  };
}
