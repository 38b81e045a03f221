import type { IncomingMessage } from 'node:http';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { networkOf } from '../../../http/addresses.ts';
import { retryAfterSeconds } from '../../../http/retry-after.ts';
import { invalid, Refused } from '../../api-server/refused.ts';
import type { Plan } from '../../registry/plan.ts';
import { checkSignIn, type PublicUrl } from '../../sessions/browser-session.ts';
import type { PortalAccessDependencies } from '../access/access-dependencies.ts';
import type { PortalOperations } from './portal-handlers.ts';

export interface AccountRequestDependencies extends Pick<PortalAccessDependencies, 'accounts' | 'clientAddress'> {
  /** Whether `portal.signUp` is `request`. */
  readonly isOpen: boolean;
  readonly publicUrl: PublicUrl;
  readonly offeredPlans: () => Promise<readonly Plan[]>;
}

/** Requests per hour and gateway. People send one; the rest allows for mistakes and for colleagues behind one address. */
const PER_HOUR = { address: 5, total: 100 };
const HOUR_SECONDS = 3600;

/** Requests for an account, from people who have none. */
export function accountRequestOperations({
  accounts,
  isOpen,
  publicUrl,
  clientAddress,
  offeredPlans,
}: AccountRequestDependencies): Pick<PortalOperations, 'createAccountRequest'> {
  const byAddress = new RateLimiterMemory({ points: PER_HOUR.address, duration: HOUR_SECONDS });
  const total = new RateLimiterMemory({ points: PER_HOUR.total, duration: HOUR_SECONDS });

  async function limit(request: IncomingMessage): Promise<void> {
    const address = networkOf(clientAddress(request));
    try {
      const used = await byAddress.get(address);
      if (used !== null && used.remainingPoints <= 0) throw used;
      // First, so that no more addresses are remembered than requests are accepted.
      await total.consume('');
      await byAddress.consume(address);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooMany(retryAfterSeconds(refused.msBeforeNext));
    }
  }

  return {
    async createAccountRequest({ body: { name, email, purpose, plan: wanted }, request, change }) {
      if (!isOpen) throw new Refused('route_not_found');
      checkSignIn(request, publicUrl);
      const plans = (await offeredPlans()).map(({ id }) => id);
      const plan = wanted ?? plans[0];
      if (plan === undefined || !plans.includes(plan)) throw invalid('/plan', `must be one of ${plans.join(', ')}`);
      await limit(request);
      const given = { name, email: email.toLowerCase(), purpose, plan };
      const isStored = await accounts.accountRequests.create(given, { ...change, actor: 'visitor' });
      if (!isStored) throw tooMany(String(HOUR_SECONDS));
      return { status: 202 };
    },
  };
}

function tooMany(retryAfter: string): Refused {
  return new Refused('rate_limit_exceeded', {
    message: 'Too many requests for an account. Wait for the time given in Retry-After, or contact the team.',
    headers: { 'Retry-After': retryAfter },
  });
}
