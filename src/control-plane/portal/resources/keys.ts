import { type Clock, toDateTime, toMillis } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';
import { checkAddresses } from '../../api-server/check-addresses.ts';
import { loadGraceJson, readGrace } from '../../api-server/key-grace.ts';
import type { HistoryStore } from '../../history/store/history-store.ts';
import { getMaxNewKeysPerDay } from '../../registry/daily-limits.ts';
import { type Key, generateSuccessor } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireAccount, requireSession } from '../access/caller.ts';
import { listOwnKeys, getOwnKey } from '../access/key-ownership.ts';
import type { PortalOperations } from './portal-handlers.ts';
import { toKeyJson } from './portal-key-json.ts';

export interface OwnKeyDependencies {
  readonly accounts: Accounts;
  readonly registry: Registry;
  /** `portal.maxKeys`. */
  readonly maxKeys: number;
  /** `rotation.maxGrace`, in ms. */
  readonly maxGraceMs: number;
  readonly history: HistoryStore;
  readonly clock: Clock;
}

/**
 * Limits on a rotation chain. Each rotation adds a key that `portal.maxKeys` does not count, and actions on a chain take
 * longer the more keys it has.
 */
const CHAIN_LIMITS = { maxKeys: 100, maxReplaced: 2 };
/** Maximum number of keys per page whose calls are counted. */
const MAX_COUNTED_KEYS = 10;

export function createKeyOperations({
  accounts,
  registry,
  maxKeys,
  maxGraceMs,
  history,
  clock,
}: OwnKeyDependencies): Pick<
  PortalOperations,
  'listOwnKeys' | 'createOwnKey' | 'updateOwnKey' | 'rotateOwnKey' | 'revokeOwnKey'
> {
  const bounds = { ...CHAIN_LIMITS, maxPerDay: getMaxNewKeysPerDay(maxKeys) };

  return {
    async listOwnKeys({ query: { status, ...page }, caller }) {
      const { items, nextCursor } = await listOwnKeys(registry, requireSession(caller), status, page);
      const revocations = await findRevocationsByHolders(registry, items);
      const graces = await loadGraces(items, history, clock());
      const toFullJson = (key: Key) => ({ ...toKeyJson(key), ...graces.get(key.id), ...revocations.get(key.id) });
      return { status: 200, body: { items: items.map(toFullJson), nextCursor, maxKeys } };
    },

    async createOwnKey({ body: { name, expiresAt: requestedExpiry }, caller, change }) {
      const expiresAt = requestedExpiry === null ? null : toMillis(requestedExpiry);
      if (expiresAt !== null && expiresAt <= clock()) throw invalidField('/expiresAt', 'must be in the future');
      const { id } = requireAccount(caller);
      const { key, secret } = await accounts.createKey(id, { name, expiresAt }, { maxKeys }, change);
      return { status: 201, body: { ...toKeyJson(key), key: secret } };
    },

    async updateOwnKey({ path: { id }, body, caller, change }) {
      await getOwnKey(registry, requireSession(caller), id);
      checkAddresses(body.addresses ?? []);
      return { status: 200, body: toKeyJson(await registry.updateKey(id, body, change)) };
    },

    async rotateOwnKey({ path: { id }, body, caller, change }) {
      await getOwnKey(registry, requireSession(caller), id);
      const now = change.at;
      const { successor, secret } = generateSuccessor(now);
      const grace = readGrace(body, now, maxGraceMs);
      const key = await registry.rotateKey(id, successor, { ...grace, bounds }, change);
      return { status: 201, body: { ...toKeyJson(key), key: secret } };
    },

    async revokeOwnKey({ path: { id }, query, caller, change }) {
      const { kind } = await getOwnKey(registry, requireSession(caller), id);
      if (kind === 'token') throw new Refused('conflict', { message: ONLY_OPERATORS });
      const predecessors = query.predecessors !== 'false';
      const key = await registry.updateKey(id, { status: 'revoked' }, change, { predecessors });
      return { status: 200, body: toKeyJson(key) };
    },
  };
}

/** Others may share a caller, and once it is revoked, only operators can let it call again. */
const ONLY_OPERATORS = 'A caller with access tokens can only be revoked by operators.';

/**
 * Loads the grace periods of keys that expire once they are no longer used, with the number of their recent calls.
 *
 * @returns grace periods by key id
 */
async function loadGraces(keys: readonly Key[], history: HistoryStore, now: number) {
  const waitingKeys = keys.filter(({ quietSince }) => quietSince !== null).slice(0, MAX_COUNTED_KEYS);
  const countedGraces = waitingKeys.map(
    async (key) => [key.id, { grace: await loadGraceJson(key, history, now) }] as const,
  );
  return new Map(await Promise.all(countedGraces));
}

/** Finds the keys that were revoked by someone who held the secret. @returns these revocations by key id */
async function findRevocationsByHolders(registry: Registry, keys: readonly Key[]) {
  const revokedIds = keys.filter(({ status }) => status === 'revoked').map(({ id }) => id);
  if (revokedIds.length === 0) return new Map<string, never>();
  const filter = { subject: revokedIds, action: 'key.revoke' };
  const { items } = await registry.listAudit(filter, { limit: revokedIds.length });
  const holderEntries = items.filter(({ actor, subject }) => actor === subject);
  return new Map(
    holderEntries.map(({ subject, at, reason }) => [subject, { revokedByHolder: { at: toDateTime(at), reason } }]),
  );
}
