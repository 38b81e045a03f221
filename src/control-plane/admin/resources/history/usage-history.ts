import type { Clock } from '../../../../base/time.ts';
import type { Deleted, HistoryStore, UsageQuery } from '../../../history/reports.ts';
import { type PeriodQuery, readPeriod } from '../../../history/period.ts';
import { usageReportJson } from '../../../history/report-json.ts';
import type { Retention } from '../../../history/retention.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { AdminOperations, Call } from '../../operation.ts';

type Filters = Pick<UsageQuery, 'by' | 'key' | 'owner' | 'plan' | 'operation' | 'outcome' | 'limit'> & {
  readonly points: 'true' | 'false';
};

export function usageHistoryOperations(
  history: HistoryStore,
  keep: Retention,
  registry: Registry,
  clock: Clock,
): AdminOperations {
  return {
    async getUsageHistory({ query }: Call<undefined, Filters & PeriodQuery>) {
      const { from, to, every, points, ...filters } = query;
      const now = clock();
      const totalsOnly = points === 'false';
      const maxSeries = totalsOnly ? 0 : filters.by === undefined ? 1 : filters.limit;
      const period = readPeriod({ from, to, every }, keep, now, maxSeries);
      return { status: 200, body: usageReportJson(await history.usage({ ...filters, ...period, totalsOnly, now })) };
    },

    async deleteUsageHistory({ query: { owner }, change }: Call<object, { readonly owner: string }>) {
      const deleted = await history.deleteOwner(owner);
      const after = { keys: deleted.keys };
      await registry.appendAudit({ ...change, action: 'usage.delete', subject: owner, before: null, after });
      return { status: 200, body: deletedJson(owner, deleted) };
    },
  };
}

export function deletedJson(owner: string, { keys, rows }: Deleted) {
  return { owner, keys, rows };
}
