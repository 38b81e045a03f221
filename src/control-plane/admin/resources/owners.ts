import { type Clock, toDateTime } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { invalidField } from '../../api-server/refused.ts';
import { toUsageReportJson } from '../../history/report-json.ts';
import type { HistoryStore, UsageQuery } from '../../history/store/history-store.ts';
import { type Period, readPeriod } from '../../history/store/period.ts';
import type { Retention } from '../../history/store/retention.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { parseOrder } from './sort-order.ts';

interface OwnerOperationDependencies {
  readonly registry: Registry;
  readonly accounts: Pick<Accounts, 'findByOwners'>;
  readonly history: Pick<HistoryStore, 'usage' | 'requestsByOwner'>;
  readonly historyRetention: Retention;
  readonly clock: Clock;
}

type UsageOptions = Pick<UsageQuery, 'totalsOnly' | 'now'>;

const NO_USAGE: Schemas['OwnerUsage'] = {
  totals: { requests: 0, units: 0, refused: 0, errors: 0, clientErrors: 0, p50Ms: null, p95Ms: null, p99Ms: null },
  points: [],
};

export function createOwnerOperations({
  registry,
  accounts,
  history,
  historyRetention: retention,
  clock,
}: OwnerOperationDependencies): Pick<AdminOperations, 'listOwners'> {
  /** Loads the usage of each owner in the period; null if there is no period. */
  async function loadUsage(owners: readonly string[], period: Period | null, options: UsageOptions) {
    if (period === null) return null;
    const query = { ...period, ...options, by: 'owner', groups: owners, limit: owners.length } as const;
    const { from, to, every, countedSince, series } = toUsageReportJson(await history.usage(query));
    const usage = new Map(series.map(({ group, totals, points }) => [group, { totals, points }]));
    return { period: { from, to, every, countedSince }, of: (owner: string) => usage.get(owner) ?? NO_USAGE };
  }

  return {
    async listOwners({ query: { q, sort, from, to, every, points, limit, cursor } }) {
      const order = parseOrder(sort);
      const now = clock();
      const totalsOnly = points === 'false';
      const needsFrom = order.by === 'requests' || to !== undefined || every !== undefined;
      if (from === undefined && needsFrom) throw invalidField('/query/from', FROM_IS_MISSING);
      const period =
        from === undefined ? null : readPeriod({ from, to, every }, retention, now, totalsOnly ? 0 : limit);
      const isRanked = order.by === 'requests' && period !== null;
      const requests = isRanked ? await history.requestsByOwner({ ...period, now }) : undefined;
      const { items, nextCursor } = await registry.listOwners(q, { limit, cursor }, order, requests);
      const owners = items.map(({ owner }) => owner);
      const [accountsByOwner, usage] = await Promise.all([
        accounts.findByOwners(owners),
        loadUsage(owners, period, { totalsOnly, now }),
      ]);
      const ownerItems = items.map(({ owner, lastUsedAt, ...counts }) => ({
        ...counts,
        owner,
        account: accountsByOwner.get(owner) ?? null,
        lastUsedAt: toDateTime(lastUsedAt),
        usage: usage?.of(owner) ?? null,
      }));
      return { status: 200, body: { items: ownerItems, nextCursor, period: usage?.period ?? null } };
    },
  };
}

const FROM_IS_MISSING = 'is missing: requests are counted from this time';
