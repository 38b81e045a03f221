import { type Clock, toMillis } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { invalid } from '../../api/refused.ts';
import { checkAddresses } from '../../api/check-addresses.ts';
import { newSuccessor } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { accountOf, requireSession } from '../access/caller.ts';
import { listOwnKeys, getOwnKey } from '../access/key-ownership.ts';
import type { PortalOperations } from './portal-handlers.ts';
import { keyJson } from './portal-key-json.ts';

export interface OwnKeyDependencies {
  readonly accounts: Accounts;
  readonly registry: Registry;
  /** `portal.maxKeys`. */
  readonly maxKeys: number;
  readonly clock: Clock;
}

/**
 * Each rotation adds a key, which `portal.maxKeys` does not count; and every action on a chain applies to all its keys.
 */
const BOUNDS = { maxKeys: 100, maxReplaced: 2 };

export function keyOperations({
  accounts,
  registry,
  maxKeys,
  clock,
}: OwnKeyDependencies): Pick<
  PortalOperations,
  'listOwnKeys' | 'createOwnKey' | 'updateOwnKey' | 'rotateOwnKey' | 'revokeOwnKey'
> {
  return {
    async listOwnKeys({ query: { status, ...page }, caller }) {
      const { items, nextCursor } = await listOwnKeys(registry, requireSession(caller), status, page);
      return { status: 200, body: { items: items.map(keyJson), nextCursor, maxKeys } };
    },

    async createOwnKey({ body: { name, expiresAt: end }, caller, change }) {
      const expiresAt = end === null ? null : toMillis(end);
      if (expiresAt !== null && expiresAt <= clock()) throw invalid('/expiresAt', 'must be in the future');
      const { id } = accountOf(caller);
      const { key, secret } = await accounts.createKey(id, { name, expiresAt }, { maxKeys }, change);
      return { status: 201, body: { ...keyJson(key), key: secret } };
    },

    async updateOwnKey({ path: { id }, body, caller, change }) {
      await getOwnKey(registry, requireSession(caller), id);
      checkAddresses(body.addresses ?? []);
      return { status: 200, body: keyJson(await registry.updateKey(id, body, change)) };
    },

    async rotateOwnKey({ path: { id }, body, caller, change }) {
      await getOwnKey(registry, requireSession(caller), id);
      const now = change.at;
      const { successor, secret } = newSuccessor(now);
      const options = { oldExpiresAt: now + body.graceSeconds * 1000, bounds: BOUNDS };
      const key = await registry.rotateKey(id, successor, options, change);
      return { status: 201, body: { ...keyJson(key), key: secret } };
    },

    async revokeOwnKey({ path: { id }, query, caller, change }) {
      await getOwnKey(registry, requireSession(caller), id);
      const predecessors = query.predecessors !== 'false';
      const key = await registry.updateKey(id, { status: 'revoked' }, change, { predecessors });
      return { status: 200, body: keyJson(key) };
    },
  };
}
