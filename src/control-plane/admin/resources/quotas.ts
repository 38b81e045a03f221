import { listWindows } from '../../../domain/quota-limits.ts';
import type { AdmissionStore, Usage, WindowView } from '../../../data-plane/boundary-types.ts';
import { toCredential, type Key, createKeyNotFoundError } from '../../registry/key.ts';
import { toUsageJson } from '../../gateway-endpoints/endpoint-handlers.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireKey } from './admin-key-json.ts';
import type { AdminOperations } from './admin-handlers.ts';

export function createQuotaOperations(
  registry: Registry,
  store: AdmissionStore,
): Pick<AdminOperations, 'getUsage' | 'resetUsage'> {
  async function loadUsage(key: Key): Promise<Usage> {
    // Key and plan come from one query, so that they are consistent.
    const credential = await registry.findCredential(key.hash);
    if (credential === null) throw createKeyNotFoundError(key.id);
    return store.inspect(key.quotaId, credential.limits);
  }

  return {
    async getUsage({ path: { id } }) {
      const key = await requireKey(registry, id);
      return { status: 200, body: toKeyUsageJson(key, await loadUsage(key)) };
    },

    async resetUsage({ path: { id }, query: { window }, change }) {
      const key = await requireKey(registry, id);
      const resetWindows = listWindows<WindowView>(await loadUsage(key)).filter(
        ({ name }) => name === (window ?? name),
      );
      await store.reset(key.quotaId, window);
      const before = Object.fromEntries(resetWindows.map(({ name, view }) => [`${name}Used`, view.used]));
      const after = { keyId: key.id, ...Object.fromEntries(resetWindows.map(({ name }) => [`${name}Used`, 0])) };
      await registry.appendAudit({ ...change, action: 'usage.reset', subject: key.quotaId, before, after });
      return { status: 200, body: toKeyUsageJson(key, await loadUsage(key)) };
    },
  };
}

/** Loads the usage of each key. Plans are read only once, and the store is queried for all keys concurrently. */
export async function loadUsages(keys: readonly Key[], registry: Registry, store: AdmissionStore) {
  const plans = await registry.plansById();
  return Promise.all(
    keys.map(async (key) => {
      const { limits } = toCredential(key, plans.get(key.plan) ?? null);
      return toKeyUsageJson(key, await store.inspect(key.quotaId, limits));
    }),
  );
}

function toKeyUsageJson({ id: keyId, quotaId, plan }: Key, usage: Usage) {
  return { keyId, quotaId, ...toUsageJson(plan, usage) };
}
