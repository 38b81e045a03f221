import { type ErrorDetail } from '../../../base/error-details.ts';
import { callErrors, errors, SERVED } from '../../../domain/error-codes.ts';
import { nearest } from '../../../base/portable/nearest.ts';
import { withoutKeys } from '../../../http/redact-keys.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Events } from '../../events/events.ts';
import type { HistoryStore } from '../../history/store/history-store.ts';
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
}

interface KnownValuesDependencies {
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly webhooks: Pick<Webhooks, 'types'>;
  readonly events: Pick<Events, 'list'>;
  readonly history: Pick<HistoryStore, 'callers'>;
  readonly served: readonly ServedOperation[];
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
const SEARCHED = 3;
const ONE = { limit: 1 };

export function createRefuseUnknown(dependencies: KnownValuesDependencies): RefuseUnknown {
  const { registry, accounts, webhooks, events, history, served } = dependencies;

  /** Checks by filter. A check describes the fault of a value, or returns null if the value is known. */
  const faults: { readonly [Name in keyof NamedFilters]-?: (value: string) => Promise<string | null> } = {
    async owner(owner) {
      const isKnown = (await registry.listKeys({ owner }, ONE)).items.length > 0;
      if (isKnown || (await accounts.getByOwner(owner)) !== null) return null;
      return fault('owner', owner, await ownersLike(registry, owner));
    },
    async plan(plan) {
      if ((await registry.getPlan(plan)) !== null) return null;
      const users = await Promise.all([registry.listKeys({ plan }, ONE), accounts.list({ plan }, ONE)]);
      if (users.some(({ items }) => items.length > 0)) return null;
      const plans = (await registry.listPlans()).map(({ id }) => id);
      return fault('plan', plan, plans);
    },
    async quotaId(quotaId) {
      const isKnown = (await registry.listKeys({ quotaId }, ONE)).items.length > 0;
      return isKnown ? null : fault('key with the quota', quotaId, []);
    },
    async replacedBy(id) {
      return (await registry.getKey(id)) === null ? fault('key', id, []) : null;
    },
    async account(id) {
      if ((await accounts.get(id)) !== null) return null;
      const named = await accounts.getByOwner(id);
      return fault('account', id, [], named?.id);
    },
    async type(type) {
      const types = webhooks.types.listAll().map(({ name }) => name);
      const isKnown = types.includes(type) || (await events.list({ type }, ONE)).items.length > 0;
      return isKnown ? null : fault('event type', type, types);
    },
    async operation(id) {
      const ids = served.map(({ operation }) => operation.id);
      if (ids.includes(id) || (await history.callers({ operation: id, ...ONE })).items.length > 0) return null;
      return fault('operation', id, ids);
    },
    async outcome(outcome) {
      const outcomes = [SERVED, ...Object.keys(errors)];
      return outcomes.includes(outcome) ? null : fault('outcome', outcome, outcomes);
    },
    async code(code) {
      return Object.hasOwn(callErrors, code) ? null : fault('error code', code, Object.keys(callErrors));
    },
  };

  return async function refuseUnknown(filters, base = '/query') {
    const details: ErrorDetail[] = [];
    for (const [name, check] of Object.entries(faults)) {
      const value = filters[name as keyof NamedFilters];
      const message = value === undefined ? null : await check(value);
      if (message !== null) details.push({ path: `${base}/${name}`, message });
    }
    if (details.length > 0) throw new Refused('validation_failed', { details });
  };
}

async function ownersLike(registry: Registry, owner: string): Promise<string[]> {
  const all = await registry.listOwners(undefined, { limit: MAX_OWNERS });
  const page =
    all.nextCursor === null ? all : await registry.listOwners(owner.slice(0, SEARCHED), { limit: MAX_OWNERS });
  return page.items.map((one) => one.owner);
}

function fault(what: string, value: string, known: readonly string[], meant = nearest(value, known)): string {
  const none = `is unknown: there is no ${what} ${withoutKeys(value)}`;
  if (meant !== null) return `${none} (did you mean ${meant}?)`;
  return known.length > 0 && known.length <= MAX_LISTED ? `${none}; use one of ${known.join(', ')}` : none;
}
