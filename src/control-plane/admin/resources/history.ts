import type { Limits } from '../../../domain/quota-limits.ts';
import type { AdmissionStore, Usage } from '../../../data-plane/boundary-types.ts';
import { type Clock, toDateTime } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { PREFIX } from './admin-document.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';
import type { ServedOperation } from './operations.ts';
import { loadAccounts } from './owner-accounts.ts';
import { createViolationOperations } from './violations.ts';
import { Refused } from '../../api-server/refused.ts';
import { createNextLink } from '../../api-server/send-response.ts';
import { readPeriod } from '../../history/store/period.ts';
import { formatCallersCsv } from '../../history/report-csv.ts';
import { toExplanationJson, toRefusalJson, toUsageReportJson } from '../../history/report-json.ts';
import { exportUsage } from '../../history/usage-export.ts';
import { writeCustomerAnswer, type PresentKey } from '../../history/explanations/customer-answer.ts';
import { type ExplanationContext, readRefusal } from '../../history/explanations/explain-refusal.ts';
import { readContext } from '../../history/explanations/explanation-context.ts';
import type { HistoryStore, Caller, FoundRefusal } from '../../history/store/history-store.ts';
import { REFUSALS_KEPT_MS, type Retention } from '../../history/store/retention.ts';
import { toCredential, createKeyNotFoundError } from '../../registry/key.ts';
import type { Plan } from '../../../domain/plan.ts';
import type { Registry } from '../../registry/registry.ts';

export interface HistoryOperationDependencies {
  readonly history: HistoryStore;
  readonly historyRetention: Retention;
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly store: AdmissionStore;
  /** The operations that the gateway serves. */
  readonly served: readonly ServedOperation[];
  readonly clock: Clock;
}

export function createHistoryOperations(dependencies: HistoryOperationDependencies, refuseUnknown: RefuseUnknown) {
  const { history, accounts, served } = dependencies;
  return {
    ...createUsageHistoryOperations(dependencies, refuseUnknown),
    ...createCallerOperations(history, accounts, served),
    ...createViolationOperations(dependencies),
    ...createRequestOperations(dependencies, refuseUnknown),
  };
}

const CSV = 'text/csv';
/** Default number of series in a JSON report. */
const DEFAULT_SERIES = 10;

function createCallerOperations(
  history: HistoryStore,
  accounts: Pick<Accounts, 'findByOwners'>,
  served: readonly ServedOperation[],
): Pick<AdminOperations, 'listCallers'> {
  const isServed = (id: string) => served.some(({ operation }) => operation.id === id);

  return {
    async listCallers({ path: { id }, query, accepts }) {
      const page = await history.callers({ operation: id, ...query });
      // An operation that no longer exists may still have callers. But an unknown operation without callers is probably
      // a misspelled id.
      if (page.items.length === 0 && query.cursor === undefined && !isServed(id)) {
        throw new Refused('operation_not_found');
      }
      const findAccount = await loadAccounts(accounts, page.items);
      const items = page.items.map((caller) => toCallerJson(caller, findAccount(caller)?.email ?? null));
      const headers = { Vary: 'Accept' };
      if (accepts(['application/json', CSV]) !== CSV) {
        return { status: 200, body: { items, nextCursor: page.nextCursor }, headers };
      }
      const path = `${PREFIX}/operations/${encodeURIComponent(id)}/callers`;
      const next = createNextLink(path, { limit: query.limit }, page.nextCursor);
      return { status: 200, text: formatCallersCsv(items), headers: { ...headers, 'Content-Type': CSV, ...next } };
    },
  };
}

/**
 * Describes a call of an operation that no longer exists. The id of an operation is its operationId, or else its method
 * and path.
 */
function formatRemovedCall(method: string, operation: string): string {
  return operation.startsWith(`${method} `) ? operation : `${method} (${operation})`;
}

function toCallerJson(
  { key, owner, plan, firstAt, lastAt, requests }: Caller,
  email: string | null,
): Schemas['Caller'] {
  return { key, owner, email, plan, requests, firstAt: toDateTime(firstAt), lastAt: toDateTime(lastAt) };
}

function createRequestOperations(
  { history, registry, accounts, store, served, clock }: HistoryOperationDependencies,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'listRefusals' | 'explainRequest'> {
  const callsByOperation = new Map(served.map(({ operation: { id, method, path } }) => [id, `${method} ${path}`]));

  /** @param plans by id */
  async function formatCustomerAnswer(
    requestId: string,
    refusal: FoundRefusal,
    context: ExplanationContext,
    plans: ReadonlyMap<string, Plan>,
  ): Promise<string> {
    const read = readRefusal(refusal, { ...context, plans });
    const { method, operation, path } = read.facts;
    const call =
      operation === null
        ? `${method} ${path}`
        : (callsByOperation.get(operation) ?? formatRemovedCall(method, operation));
    const present = await loadPresentKey(refusal.keyId, plans);
    return writeCustomerAnswer({ ...read, requestId, storedId: refusal.requestId, call, present });
  }

  async function loadPresentKey(id: string, plans: ReadonlyMap<string, Plan>): Promise<PresentKey | null> {
    const key = await registry.getKey(id);
    if (key === null) return null;
    const { limits, mode, status, expiresAt } = toCredential(key, plans.get(key.plan) ?? null);
    return { status, expiresAt, isEnforced: mode === 'enforce', usage: await loadKnownUsage(key.quotaId, limits) };
  }

  /** Loads the usage; null while the shared counters are unavailable, because an explanation is possible without them. */
  async function loadKnownUsage(quotaId: string, limits: Limits): Promise<Usage | null> {
    try {
      const usage = await store.inspect(quotaId, limits);
      return usage.degraded ? null : usage;
    } catch {
      return null;
    }
  }

  return {
    async listRefusals({ query: { key, owner, code, operation, ...page } }) {
      if (key !== undefined && (await registry.getKey(key)) === null) throw createKeyNotFoundError(key);
      await refuseUnknown({ code });
      const now = clock();
      const keyIds = key === undefined ? undefined : [key];
      const from = now - REFUSALS_KEPT_MS;
      const { items, nextCursor } = await history.recentRefusals({ keyIds, owner, code, operation, from, ...page });
      if (items.length === 0) await refuseUnknown({ owner, operation });
      const findAccount = await loadAccounts(accounts, items);
      const listedRefusals = items.map((each) => {
        const { keyName, owner: keyOwner } = each;
        const keys = new Map(keyName === null ? [] : [[each.keyId, { name: keyName }]]);
        const refusal = toRefusalJson(each, { now, reader: 'operator', keys });
        return { ...refusal, keyName, owner: keyOwner, account: findAccount(each) };
      });
      return { status: 200, body: { items: listedRefusals, nextCursor } };
    },

    async explainRequest({ path: { requestId } }) {
      const refusals = await history.findRefusals(requestId);
      if (refusals.length === 0) throw new Refused('request_not_found');
      const context = await readContext(registry, refusals, { now: clock(), reader: 'operator' });
      const { refusals: explanations } = toExplanationJson(requestId, refusals, context);
      const plans = await registry.plansById();
      const answers = await Promise.all(refusals.map((each) => formatCustomerAnswer(requestId, each, context, plans)));
      const items = explanations.map((each, index) => ({ ...each, answer: answers[index]! }));
      return { status: 200, body: { requestId, refusals: items } };
    },
  };
}

function createUsageHistoryOperations(
  { history, historyRetention: retention, registry, clock }: HistoryOperationDependencies,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'getUsageHistory' | 'deleteUsageHistory'> {
  return {
    async getUsageHistory({ query, accepts }) {
      const { from, to, every, points, limit, ...filters } = query;
      const now = clock();
      const totalsOnly = points === 'false';
      const isCsv = accepts(['application/json', CSV]) === CSV;
      const series = isCsv || filters.by === undefined ? 1 : (limit ?? DEFAULT_SERIES);
      const period = readPeriod({ from, to, every }, retention, now, totalsOnly ? 0 : series);
      const usageQuery = { ...filters, ...period, totalsOnly, now };
      const headers = { Vary: 'Accept' };
      await refuseUnknown({ outcome: filters.outcome });
      if (isCsv) {
        await refuseUnknown(filters);
        const pieces = exportUsage(history, { ...usageQuery, limit });
        return { status: 200, pieces, headers: { ...headers, 'Content-Type': CSV } };
      }
      const report = await history.usage({ ...usageQuery, limit: limit ?? DEFAULT_SERIES });
      if (report.series.every(({ totals }) => totals.requests === 0)) await refuseUnknown(filters);
      return { status: 200, body: toUsageReportJson(report), headers };
    },

    async deleteUsageHistory({ query: { owner }, change }) {
      const deleted = await history.deleteOwner(owner);
      const after = { keys: deleted.keys };
      await registry.appendAudit({ ...change, action: 'usage.delete', subject: owner, before: null, after });
      return { status: 200, body: { owner, keys: deleted.keys, rows: deleted.rows } };
    },
  };
}
