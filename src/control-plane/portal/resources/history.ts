import type { Clock } from '../../../base/time.ts';
import type { SignedIn } from '../../accounts/account-sessions.ts';
import type { FoundRefusal, Group, HistoryStore } from '../../history/store/history-store.ts';
import { readOwnRefusals } from '../../history/own-refusals.ts';
import { toExplanationJson, toUsageReportJson } from '../../history/report-json.ts';
import { readContext } from '../../history/explanations/explanation-context.ts';
import { exportUsage } from '../../history/usage-export.ts';
import { readPeriod } from '../../history/store/period.ts';
import type { Retention } from '../../history/store/retention.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Key } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireSession } from '../access/caller.ts';
import { listOwnKeys, getOwnKey } from '../access/key-ownership.ts';
import type { PortalOperations } from './portal-handlers.ts';

export interface OwnHistoryDependencies {
  readonly history: HistoryStore;
  readonly historyRetention: Retention;
  readonly registry: Registry;
  readonly clock: Clock;
  /** Number of reports that are being computed, by name of the caller. */
  readonly runningReports: Map<string, number>;
}

/**
 * Maximum number of concurrent reports of one account or key. The history computes all reports one after the other, so
 * one caller with many reports would make all others wait.
 */
const MAX_REPORTS = 20;

const CSV = 'text/csv';
/** Default number of series in a JSON report. */
const DEFAULT_SERIES = 10;

/** Maximum number of keys whose quotas are searched for a refused request. */
const MAX_KEYS = 100;

export function createHistoryOperations({
  history,
  historyRetention,
  registry,
  runningReports,
  clock,
}: OwnHistoryDependencies): Pick<PortalOperations, 'getOwnUsageHistory' | 'listOwnRefusals' | 'explainOwnRequest'> {
  return {
    async getOwnUsageHistory({ query, caller, accepts }) {
      const { from, to, every, limit, ...filters } = query;
      const signedIn = requireSession(caller);
      if (filters.key !== undefined) await getOwnKey(registry, signedIn, filters.key);
      const now = clock();
      const isCsv = accepts(['application/json', CSV]) === CSV;
      const series = isCsv || filters.by === undefined ? 1 : (limit ?? DEFAULT_SERIES);
      const period = readPeriod({ from, to, every }, historyRetention, now, series);
      const usageQuery = { ...filters, ...period, ...selectCallers(signedIn), now };
      const headers = { Vary: 'Accept' };
      const limitReports = <T>(createReport: () => Promise<T>) => runReport(runningReports, caller.name, createReport);
      if (isCsv) {
        const store: Pick<HistoryStore, 'usage' | 'usageGroups'> = {
          usage: (reportQuery) => limitReports(() => history.usage(reportQuery)),
          usageGroups: (reportQuery) => limitReports(() => history.usageGroups(reportQuery)),
        };
        const pieces = exportUsage(store, { ...usageQuery, limit }, filters.by === 'key' ? loadKeyNames : null);
        return { status: 200, pieces, headers: { ...headers, 'Content-Type': CSV } };
      }
      const report = await limitReports(() => history.usage({ ...usageQuery, limit: limit ?? DEFAULT_SERIES }));
      return { status: 200, body: toUsageReportJson(report), headers };
    },

    async listOwnRefusals({ query, caller }) {
      const signedIn = requireSession(caller);
      const { items: keys } = await listOwnKeys(registry, signedIn, undefined, { limit: MAX_KEYS });
      const keyIds = keys.map(({ id }) => id);
      const body = await readOwnRefusals({ history, registry, clock }, { keyIds }, listQuotaIds(signedIn, keys), query);
      return { status: 200, body };
    },

    async explainOwnRequest({ path: { requestId }, caller }) {
      const refusals = await findOwnRefusals(requestId, requireSession(caller));
      if (refusals.length === 0) throw new Refused('request_not_found');
      const context = await readContext(registry, refusals, { now: clock(), reader: 'consumer' });
      return { status: 200, body: toExplanationJson(requestId, refusals, context) };
    },
  };

  async function loadKeyNames(ids: readonly Group[]): Promise<ReadonlyMap<Group, string>> {
    const keys = await registry.keysById(ids.map(String));
    return new Map([...keys].map(([id, { name }]) => [id, name]));
  }

  /**
   * Finds the user's refused requests with an id. Each quota is searched separately: a search returns only a limited
   * number of refusals, and another caller may have used the same id more often. The account's own quota comes first,
   * because it is usually the only one.
   */
  async function findOwnRefusals(requestId: string, signedIn: SignedIn): Promise<FoundRefusal[]> {
    const { account, key } = signedIn;
    if (account === null) {
      // Other keys of the same account share this quota, but their requests must not be shown.
      return (await history.findRefusals(requestId, key.quotaId)).filter(({ keyId }) => keyId === key.id);
    }
    const ownRefusals = await history.findRefusals(requestId, account.quotaId);
    if (ownRefusals.length > 0) return ownRefusals;
    const { items: keys } = await listOwnKeys(registry, signedIn, undefined, { limit: MAX_KEYS });
    for (const quotaId of listQuotaIds(signedIn, keys).slice(1)) {
      const refusals = await history.findRefusals(requestId, quotaId);
      if (refusals.length > 0) return refusals;
    }
    return [];
  }
}

/** The ids of the quotas of the account and of the keys, the account's own first. */
function listQuotaIds({ account }: SignedIn, keys: readonly Key[]): string[] {
  const ownQuotaIds = account === null ? [] : [account.quotaId];
  return [...new Set([...ownQuotaIds, ...keys.map(({ quotaId }) => quotaId)])];
}

/**
 * Selects the requests that a caller may see. The session of a key may see the requests of the key's rotation chain, as
 * at the gateway's own endpoints.
 */
export function selectCallers({ account, key }: SignedIn): { readonly owner: string } | { readonly chainOf: string } {
  return account === null ? { chainOf: key.id } : { owner: account.owner };
}

/** @throws Refused `rate_limit_exceeded` if `MAX_REPORTS` reports of `who` are being computed */
export async function runReport<T>(
  runningByCaller: Map<string, number>,
  callerName: string,
  createReport: () => Promise<T>,
): Promise<T> {
  const count = runningByCaller.get(callerName) ?? 0;
  if (count >= MAX_REPORTS) {
    const message = 'Too many reports are being computed. Wait until some have finished.';
    throw new Refused('rate_limit_exceeded', { message, headers: { 'Retry-After': '1' } });
  }
  runningByCaller.set(callerName, count + 1);
  try {
    return await createReport();
  } finally {
    const remainingReports = (runningByCaller.get(callerName) ?? 1) - 1;
    if (remainingReports === 0) runningByCaller.delete(callerName);
    else runningByCaller.set(callerName, remainingReports);
  }
}
