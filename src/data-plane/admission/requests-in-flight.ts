import type { Awaitable } from '../../base/awaitable.ts';
import { SECOND_MS } from '../../base/time.ts';
import { type Limits, areSameLimits } from '../../domain/quota-limits.ts';
import type { Usage } from './quota-usage.ts';

/** The requests of one quota that are in flight. */
export interface QuotaInFlight {
  readonly quotaId: string;
  count: number;
  /** The latest usage that was read for the headers of a refusal. */
  lastRead: { readonly usage: Awaitable<Usage>; readonly limits: Limits; readonly at: number } | null;
}

/**
 * Counts the requests that are in flight at this gateway, by quota. The table has only quotas with requests in flight.
 * Requests of keys without a limit are counted too, because a limit may be set while they are running.
 */
export class RequestsInFlight {
  readonly #byQuota = new Map<string, QuotaInFlight>();

  /** Number of quotas that have requests in flight. */
  get size(): number {
    return this.#byQuota.size;
  }

  /**
   * Counts another request.
   *
   * @param limit null: no limit
   * @returns the argument for `end`; null if the quota has reached its limit, so that nothing was counted
   */
  begin(quotaId: string, limit: number | null): QuotaInFlight | null {
    const quota = this.#byQuota.get(quotaId);
    if (quota === undefined) {
      const first = { quotaId, count: 1, lastRead: null };
      this.#byQuota.set(quotaId, first);
      return first;
    }
    if (limit !== null && quota.count >= limit) return null;
    quota.count++;
    return quota;
  }

  /** Must be called exactly once for each request that was counted. */
  end(quota: QuotaInFlight): void {
    quota.count--;
    if (quota.count === 0) this.#byQuota.delete(quota.quotaId);
  }

  /**
   * Returns the usage of a quota, for the headers of a refusal. While requests of the quota are in flight, it is read at
   * most once a second, so that a client that sends too many requests does not cause a call to the store for each.
   */
  readUsage(quotaId: string, limits: Limits, read: () => Awaitable<Usage>): Awaitable<Usage> {
    const quota = this.#byQuota.get(quotaId);
    if (quota === undefined) return read();
    const readAt = performance.now();
    const { lastRead } = quota;
    if (lastRead !== null && readAt - lastRead.at < SECOND_MS && areSameLimits(lastRead.limits, limits))
      return lastRead.usage;
    const usage = read();
    quota.lastRead = { usage, limits, at: readAt };
    return usage;
  }
}
