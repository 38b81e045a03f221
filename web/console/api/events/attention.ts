import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { openAccountRequestsQuery, openPlanRequestsQuery } from '../accounts.ts';
import { webhooksQuery } from './webhooks.ts';
import { activeBansQuery } from '../bans.ts';
import { EXPIRING_WITHIN, keysQuery } from '../keys.ts';

/** Counts of things that need an operator's attention. Each counts at most one page. */
export interface Attention {
  readonly bans: number;
  readonly planRequests: number;
  readonly accountRequests: number;
  readonly failingWebhooks: number;
  /** Webhooks that the gateway disabled, because their endpoints failed for days or are gone. */
  readonly disabledWebhooks: number;
  readonly expiringKeys: number;
  /** True while some of the counts are not known. */
  readonly isPending: boolean;
}

export function useAttention(): Attention {
  const bans = useQuery(activeBansQuery);
  const planRequests = useQuery(openPlanRequestsQuery);
  const accountRequests = useQuery(openAccountRequestsQuery);
  const failing = useInfiniteQuery(webhooksQuery({ state: 'failing' }));
  const expiring = useInfiniteQuery(keysQuery({ expiresWithin: EXPIRING_WITHIN }));
  const disabled = useInfiniteQuery(webhooksQuery({ status: 'disabled' }));
  const disabledWebhooks = disabled.data?.pages[0]?.items ?? [];
  const expiringKeys = expiring.data?.pages[0];
  return {
    bans: bans.data?.count ?? 0,
    planRequests: planRequests.data?.items.length ?? 0,
    accountRequests: accountRequests.data?.items.length ?? 0,
    failingWebhooks: failing.data?.pages[0]?.items.length ?? 0,
    disabledWebhooks: disabledWebhooks.filter(({ disabledReason }) => disabledReason !== 'manual').length,
    expiringKeys: expiringKeys?.total ?? expiringKeys?.items.length ?? 0,
    isPending: [bans, planRequests, accountRequests, failing, expiring, disabled].some((query) => query.isPending),
  };
}
