import { type Clock, toDateTime } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { Refused } from '../../api-server/refused.ts';
import { nameForCandidate } from '../../history/store/candidate-name.ts';
import type { HistoryStore, ViolationGroup, ViolationsQuery } from '../../history/store/history-store.ts';
import { readHours, splitRule } from '../../history/violation-query.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { ServedOperation } from './operations.ts';
import { loadAccounts } from './owner-accounts.ts';

interface ViolationOperationDependencies {
  readonly history: Pick<HistoryStore, 'violations' | 'callers'>;
  readonly accounts: Pick<Accounts, 'findByOwners'>;
  readonly served: readonly ServedOperation[];
  readonly clock: Clock;
}

type ComparedDocument = 'current' | 'candidate' | undefined;

const toKind = (document: ComparedDocument): ViolationsQuery['kind'] =>
  document === 'candidate' ? 'candidate' : 'document';

export function createViolationOperations({
  history,
  accounts,
  served,
  clock,
}: ViolationOperationDependencies): Pick<AdminOperations, 'listViolations' | 'listViolatedOperations'> {
  /** Null: there are no such requests. */
  async function readTotals(query: Omit<ViolationsQuery, 'by' | 'limit'>) {
    const { cursor: _, ...all } = query;
    const { items } = await history.violations({ ...all, by: 'operation', limit: 1 });
    return items[0] === undefined ? null : toTotalsJson(items[0]);
  }

  return {
    async listViolations({ path: { id }, query: { by, from, to, document, ...others } }) {
      const period = readHours(from, to, clock());
      const operation = served.find((each) => each.operation.id === id);
      // The counts of a removed operation remain, but not those of a candidate that is no longer configured.
      const names = operation === undefined ? (document === 'candidate' ? [] : [id]) : listNames([operation], document);
      const query = { operations: names, kind: toKind(document), ...period, ...others };
      const report = await history.violations({ ...query, by });
      const totals = await readTotals(query);
      if (report.items.length === 0 && operation === undefined) {
        const { items } = await history.callers({ operation: id, limit: 1 });
        if (items.length === 0) throw new Refused('operation_not_found');
      }
      const items = report.items.map((each) => toViolationsJson(by, each));
      const findAccount = await loadAccounts(accounts, items);
      return {
        status: 200,
        body: {
          mode: operation === undefined ? null : getMode(operation),
          candidate: (operation?.validation?.candidate ?? null) !== null,
          ...toPeriodJson(period),
          totals,
          items: items.map((each) => ({ ...each, email: findAccount(each)?.email ?? null })),
          nextCursor: report.nextCursor,
          unchecked: report.unchecked.map(({ reason, requests, firstAt, lastAt }) => {
            return { reason, requests, firstAt: toDateTime(firstAt), lastAt: toDateTime(lastAt) };
          }),
        },
      };
    },

    async listViolatedOperations({ query: { by, from, to, document, ...others } }) {
      const period = readHours(from, to, clock());
      const operations = new Map(
        served.flatMap((each) => listNames([each], document).map((name) => [name, each] as const)),
      );
      const { items, nextCursor, hasKeys } = await history.violations({
        operations: [...operations.keys()],
        by: by === 'rule' ? 'operationRule' : 'operation',
        kind: toKind(document),
        ...period,
        ...others,
      });
      return {
        status: 200,
        body: {
          ...toPeriodJson(period),
          items: items.flatMap((each) => {
            const operation = operations.get(each.group ?? '');
            return operation === undefined ? [] : [toViolatedOperationJson(operation, each, hasKeys)];
          }),
          nextCursor,
        },
      };
    },
  };
}

/** The names under which requests of these operations are counted. Without a candidate, there are none for it. */
function listNames(served: readonly ServedOperation[], document: ComparedDocument): string[] {
  return served.flatMap(({ operation: { id }, validation }) => {
    if (document !== 'candidate') return [id];
    const candidate = validation?.candidate ?? null;
    return candidate === null ? [] : [nameForCandidate(candidate.version, id)];
  });
}

function getMode({ validation }: ServedOperation) {
  return validation?.mode ?? 'off';
}

function toTotalsJson({ requests, refused, keys, exemptKeys, owners, ...times }: ViolationGroup) {
  const { firstAt, lastAt } = times;
  const figures = { requests, refused, keys, exemptKeys, owners };
  return { ...figures, firstAt: toDateTime(firstAt), lastAt: toDateTime(lastAt) };
}

function toPeriodJson({ from, to }: { readonly from: number; readonly to: number }) {
  return { from: toDateTime(from), to: toDateTime(to) };
}

function toViolationsJson(
  by: 'key' | 'owner' | 'rule',
  { group, rule, owner, plan, keys, exemptKeys, owners, rules, topRules, ...figures }: ViolationGroup,
): Omit<Schemas['Violations'], 'email'> {
  const { requests, refused, firstAt, lastAt } = figures;
  return {
    key: by === 'key' ? group : null,
    owner: by === 'owner' ? group : owner,
    plan,
    ...(rule === null ? { rule: null, path: null } : splitRule(rule)),
    requests,
    refused,
    keys,
    exemptKeys,
    owners,
    rules,
    topRules: topRules.map((each) => ({ ...splitRule(each.rule), requests: each.requests })),
    firstAt: toDateTime(firstAt),
    lastAt: toDateTime(lastAt),
  };
}

function toViolatedOperationJson(
  served: ServedOperation,
  { rule, requests, refused, keys, firstAt, lastAt }: ViolationGroup,
  hasKeys: boolean,
): Schemas['ViolatedOperation'] {
  const { id, method, path } = served.operation;
  const broken = rule === null ? null : splitRule(rule);
  return {
    operation: id,
    method,
    path,
    mode: getMode(served),
    rule: broken?.rule ?? null,
    place: broken?.path ?? null,
    requests,
    refused,
    keys: hasKeys ? keys : null,
    firstAt: toDateTime(firstAt),
    lastAt: toDateTime(lastAt),
  };
}
