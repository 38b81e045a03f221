import { LRUCache } from 'lru-cache';
import { toDateTime } from '../../base/time.ts';
import { type WindowName, listWindows } from '../../domain/quota-limits.ts';
import type { Decision, DecisionObserver, WindowView } from '../../data-plane/boundary-types.ts';
import type { NewEvent } from './event.ts';
import { createGatewayEvent } from './gateway-events.ts';
import type { Credential } from '../../domain/credential.ts';

/** A window is nearly used up if at least this share of its limit is used. */
const NEAR_SHARE = 0.8;
/**
 * Maximum number of quotas whose published notices are remembered. If a quota is forgotten, its events are written
 * again, and the outbox ignores the repeats.
 */
const MAX_QUOTAS = 20_000;

/** The notices about a window that this gateway has published. */
interface PublishedNotices {
  /** Identifies the window; 0: none yet. */
  resetAt: number;
  isNear: boolean;
  isFull: boolean;
}

type QuotaNotices = Record<WindowName, PublishedNotices>;

/**
 * Publishes that a window is 80% used, and that it is full. A window is full if it is at its limit, or if a call was
 * refused because it needed more than was left. If a single call fills a window, both events are published.
 *
 * Each event is published once, however many gateways see it, because its unique key contains the quota, the window,
 * the reset time of the window and the level. The reset time identifies the window. If the usage of a day is reset or
 * its limit is raised, the thresholds of that day are not published again. If the store's clock was ahead and is
 * corrected, windows in the future are moved to the present with their counts. Their reset times change, so their
 * thresholds are published again. While the store is degraded, nothing is published, because each gateway counts for
 * itself, against a share of the limits.
 */
export function createThresholdObserver(noteEvent: (event: NewEvent) => void): DecisionObserver {
  const quotas = new LRUCache<string, QuotaNotices>({ max: MAX_QUOTAS });

  return function observeThresholds(decision, credential, cost) {
    const { minute, day, month, admitted } = decision;
    // Nearly every request ends here, after a few comparisons and without allocating anything.
    const isNear = !isBelow(minute) || !isBelow(day) || (month !== undefined && !isBelow(month));
    if ((admitted && !isNear) || decision.degraded === true) return;
    for (const { name, view } of listWindows<WindowView>(decision)) checkWindow(name, view, credential, cost, decision);
  };

  function isBelow({ used, limit }: WindowView): boolean {
    return used < limit * NEAR_SHARE;
  }

  function checkWindow(
    window: WindowName,
    view: WindowView,
    credential: Credential,
    cost: number,
    decision: Decision,
  ): void {
    const isNear = view.used >= view.limit * NEAR_SHARE;
    const isFull = view.used >= view.limit || hasRefused(decision, view, cost);
    if (!isNear && !isFull) return;
    const notices = getQuotaNotices(credential.quotaId)[window];
    if (notices.resetAt !== view.resetAt) {
      notices.resetAt = view.resetAt;
      notices.isNear = false;
      notices.isFull = false;
    }
    if (isNear && !notices.isNear) {
      notices.isNear = true;
      noteEvent(createThresholdEvent(80, window, view, credential, decision));
    }
    if (isFull && !notices.isFull) {
      notices.isFull = true;
      noteEvent(createThresholdEvent(100, window, view, credential, decision));
    }
  }

  function getQuotaNotices(quotaId: string): QuotaNotices {
    let quotaNotices = quotas.get(quotaId);
    if (quotaNotices === undefined) {
      const noNotices = { resetAt: 0, isNear: false, isFull: false };
      quotaNotices = { minute: { ...noNotices }, day: { ...noNotices }, month: { ...noNotices } };
      quotas.set(quotaId, quotaNotices);
    }
    return quotaNotices;
  }
}

/**
 * Whether the call was refused because this window had no room. In shadow mode, the call was charged, so `used` already
 * shows that the window is full.
 */
function hasRefused({ admitted, outcome }: Decision, { remaining }: WindowView, cost: number): boolean {
  return !admitted && outcome !== 'banned' && outcome !== 'cost_exceeds_limit' && remaining < cost;
}

function createThresholdEvent(
  level: 80 | 100,
  window: WindowName,
  { used, limit, resetAt }: WindowView,
  { keyId, quotaId, owner, plan, mode }: Credential,
  decision: Decision,
): NewEvent {
  // The level is padded, because events are written in the order of these keys.
  const uniqueKey = `quota.threshold ${quotaId} ${window} ${resetAt} ${String(level).padStart(3, '0')}`;
  const usage = { window, level, used, limit, resetsAt: toDateTime(resetAt), shadow: mode === 'shadow' };
  return createGatewayEvent(
    'quota.threshold',
    { keyId, quotaId, plan, ...usage },
    { subject: keyId, owner, at: decision.now, uniqueKey },
  );
}
