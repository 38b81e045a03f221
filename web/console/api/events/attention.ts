import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { DAY_MS } from '../../../shared/format/durations.ts';
import { openAccountRequestsQuery, openPlanRequestsQuery } from '../accounts.ts';
import { eventsQuery } from './events.ts';
import { webhooksQuery } from './webhooks.ts';
import { activeBansQuery } from '../bans.ts';

/** What needs an operator's attention. Numbers are up to one page. */
export interface Attention {
  readonly bans: number;
  readonly planRequests: number;
  readonly accountRequests: number;
  readonly failingWebhooks: number;
  /** Not by an operator: their endpoint failed for days or is gone. */
  readonly disabledWebhooks: number;
}

export function useAttention(): Attention {
  const bans = useQuery(activeBansQuery).data?.count ?? 0;
  const planRequests = useQuery(openPlanRequestsQuery).data?.items.length ?? 0;
  const accountRequests = useQuery(openAccountRequestsQuery).data?.items.length ?? 0;
  const failing = useInfiniteQuery(webhooksQuery({ state: 'failing' })).data?.pages[0]?.items ?? [];
  const disabled = useInfiniteQuery(webhooksQuery({ status: 'disabled' })).data?.pages[0]?.items ?? [];
  return {
    bans,
    planRequests,
    accountRequests,
    failingWebhooks: failing.length,
    disabledWebhooks: disabled.filter(({ disabledReason }) => disabledReason !== 'manual').length,
  };
}

/** Earlier announcements are about keys that have expired since. */
const ANNOUNCED_WITHIN_MS = 30 * DAY_MS;

/** How many keys were announced to expire soon. @param now from when; changes at most daily */
export function useExpiringKeys(now: number): number {
  const from = new Date(Math.floor((now - ANNOUNCED_WITHIN_MS) / DAY_MS) * DAY_MS).toISOString();
  const events = useInfiniteQuery(eventsQuery({ type: 'key.expiring', from })).data?.pages[0]?.items ?? [];
  const expiring = events.filter(({ data }) => Date.parse(String(data['expiresAt'])) > now);
  return new Set(expiring.map(({ subject }) => subject)).size;
}
