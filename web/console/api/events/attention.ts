import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { openAccountRequestsQuery, openPlanRequestsQuery } from '../accounts.ts';
import { webhooksQuery } from './webhooks.ts';
import { activeBansQuery } from '../bans.ts';
import { EXPIRING_WITHIN, keysQuery } from '../keys.ts';

/** What needs an operator's attention. Numbers are up to one page. */
export interface Attention {
  readonly bans: number;
  readonly planRequests: number;
  readonly accountRequests: number;
  readonly failingWebhooks: number;
  /** Not by an operator: their endpoint failed for days or is gone. */
  readonly disabledWebhooks: number;
  readonly expiringKeys: number;
}

export function useAttention(): Attention {
  const bans = useQuery(activeBansQuery).data?.count ?? 0;
  const planRequests = useQuery(openPlanRequestsQuery).data?.items.length ?? 0;
  const accountRequests = useQuery(openAccountRequestsQuery).data?.items.length ?? 0;
  const failing = useInfiniteQuery(webhooksQuery({ state: 'failing' })).data?.pages[0]?.items ?? [];
  const expiring = useInfiniteQuery(keysQuery({ expiresWithin: EXPIRING_WITHIN })).data?.pages[0];
  const disabled = useInfiniteQuery(webhooksQuery({ status: 'disabled' })).data?.pages[0]?.items ?? [];
  return {
    bans,
    planRequests,
    accountRequests,
    failingWebhooks: failing.length,
    disabledWebhooks: disabled.filter(({ disabledReason }) => disabledReason !== 'manual').length,
    expiringKeys: expiring?.total ?? expiring?.items.length ?? 0,
  };
}
