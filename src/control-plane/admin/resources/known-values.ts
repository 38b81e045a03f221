import { type ErrorDetail } from '../../../base/error-details.ts';
import { callErrors, errors, SERVED } from '../../../domain/error-codes.ts';
import { findNearest } from '../../../base/portable/nearest.ts';
import { replaceKeys } from '../../../http/redact-keys.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Events } from '../../events/events.ts';
import type { HistoryStore } from '../../history/store/history-store.ts';
import type { TokenIssuer } from '../../../domain/token-caller.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { ServedOperation } from './operations.ts';

/**
 * Filters of lists whose value is an id or a name. Filters with a fixed set of values are not here, because the OpenAPI
 * document lists their values.
 */
interface NamedFilters {
  readonly owner?: string | undefined;
  readonly plan?: string | undefined;
  readonly quotaId?: string | undefined;
  readonly replacedBy?: string | undefined;
  readonly account?: string | undefined;
  readonly type?: string | undefined;
  readonly operation?: string | undefined;
  readonly outcome?: string | undefined;
  readonly code?: string | undefined;
  readonly token?: string | undefined;
}

interface KnownValuesDependencies {
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly webhooks: Pick<Webhooks, 'types'>;
  readonly events: Pick<Events, 'list'>;
  readonly history: Pick<HistoryStore, 'callers'>;
  readonly served: readonly ServedOperation[];
  readonly tokenIssuers: readonly TokenIssuer[];
}

/**
 * Refuses unknown filter values. A list usually calls this if it is empty: a caller who misspelled a name should get an
 * error, not an empty list. The name of something deleted is still known as long as other things refer to it.
 *
 * @param base JSON pointer of the filters, by default `/query`
 * @throws Refused `validation_failed`
 */
export type RefuseUnknown = (filters: NamedFilters, base?: string) => Promise<void>;

/** Maximum number of owners that are compared with an unknown owner, to suggest a similar name. */
const MAX_OWNERS = 1000;
/** Maximum number of values that a message lists. */
const MAX_LISTED = 10;
/** Number of first characters by which similar owners are searched, if there are too many owners to compare them all. */
const SEARCH_LENGTH = 3;
const ONE_ITEM = { limit: 1 };

export function createRefuseUnknown(dependencies: KnownValuesDependencies): RefuseUnknown {
  const { registry, accounts, webhooks, events, history, served, tokenIssuers } = dependencies;

  /** Checks by filter. A check describes the fault of a value, or returns null if the value is known. */
  const checks: { readonly [Name in keyof NamedFilters]-?: (value: string) => Promise<string | null> } = {
    async owner(owner) {
      const isKnown = (await registry.listKeys({ owner }, ONE_ITEM)).items.length > 0;
      if (isKnown || (await accounts.getByOwner(owner)) !== null) return null;
      return describeUnknown('owner', owner, await findSimilarOwners(registry, owner));
    },
    async plan(plan) {
      if ((await registry.getPlan(plan)) !== null) return null;
      const users = await Promise.all([registry.listKeys({ plan }, ONE_ITEM), accounts.list({ plan }, ONE_ITEM)]);
      if (users.some(({ items }) => items.length > 0)) return null;
      const plans = (await registry.listPlans()).map(({ id }) => id);
      return describeUnknown('plan', plan, plans);
    },
    async quotaId(quotaId) {
      const isKnown = (await registry.listKeys({ quotaId }, ONE_ITEM)).items.length > 0;
      return isKnown ? null : describeUnknown('key with the quota', quotaId, []);
    },
    async replacedBy(id) {
      return (await registry.getKey(id)) === null ? describeUnknown('key', id, []) : null;
    },
    async account(id) {
      if ((await accounts.get(id)) !== null) return null;
      const accountOfOwner = await accounts.getByOwner(id);
      return describeUnknown('account', id, [], accountOfOwner?.id);
    },
    async type(type) {
      const types = webhooks.types.listAll().map(({ name }) => name);
      const isKnown = types.includes(type) || (await events.list({ type }, ONE_ITEM)).items.length > 0;
      return isKnown ? null : describeUnknown('event type', type, types);
    },
    async operation(id) {
      const ids = served.map(({ operation }) => operation.id);
      if (ids.includes(id) || (await history.callers({ operation: id, ...ONE_ITEM })).items.length > 0) return null;
      return describeUnknown('operation', id, ids);
    },
    async outcome(outcome) {
      const outcomes = [SERVED, ...Object.keys(errors)];
      return outcomes.includes(outcome) ? null : describeUnknown('outcome', outcome, outcomes);
    },
    async code(code) {
      return Object.hasOwn(callErrors, code) ? null : describeUnknown('error code', code, Object.keys(callErrors));
    },
    async token(name) {
      const names = tokenIssuers.map((issuer) => issuer.name);
      if (names.includes(name) || (await registry.listKeys({ tokenName: name }, ONE_ITEM)).items.length > 0)
        return null;
      return describeUnknown('token issuer', name, names);
    },
  };

  return async function refuseUnknown(filters, base = '/query') {
    const details: ErrorDetail[] = [];
    for (const [name, check] of Object.entries(checks)) {
      const value = filters[name as keyof NamedFilters];
      const message = value === undefined ? null : await check(value);
      if (message !== null) details.push({ path: `${base}/${name}`, message });
    }
    if (details.length > 0) throw new Refused('validation_failed', { details });
  };
}

async function findSimilarOwners(registry: Registry, owner: string): Promise<string[]> {
  const firstPage = await registry.listOwners(undefined, { limit: MAX_OWNERS });
  const page =
    firstPage.nextCursor === null
      ? firstPage
      : await registry.listOwners(owner.slice(0, SEARCH_LENGTH), { limit: MAX_OWNERS });
  return page.items.map((ownerItem) => ownerItem.owner);
}

function describeUnknown(
  noun: string,
  value: string,
  known: readonly string[],
  suggestion = findNearest(value, known),
): string {
  const message = `is unknown: there is no ${noun} ${replaceKeys(value)}`;
  if (suggestion !== null) return `${message} (did you mean ${suggestion}?)`;
  return known.length > 0 && known.length <= MAX_LISTED ? `${message}; use one of ${known.join(', ')}` : message;
}
