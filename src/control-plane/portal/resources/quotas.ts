import type { AdmissionStore } from '../../../data-plane/boundary-types.ts';
import { toCredential, type Key } from '../../registry/key.ts';
import type { Limits } from '../../../domain/quota-limits.ts';
import { toUsageJson } from '../../gateway-endpoints/endpoint-handlers.ts';
import { toBanForConsumers } from '../../registry/ban-for-consumers.ts';
import { createPlanNotFoundError, type StoredPlan } from '../../../domain/plan.ts';
import type { Registry } from '../../registry/registry.ts';
import type { SignedIn } from '../../accounts/account-sessions.ts';
import { requireSession } from '../access/caller.ts';
import { listOwnKeys } from '../access/key-ownership.ts';
import type { PortalOperations } from './portal-handlers.ts';

/** Maximum number of keys whose quotas are shown: operators may have created thousands of keys for one owner. */
const MAX_KEYS = 100;

interface Quota {
  readonly quotaId: string;
  readonly plan: string;
  readonly planName: string;
  readonly limits: Limits;
  readonly keys: string[];
}

/** Creates the operation that shows the usage of a caller's quotas. */
export function createQuotaOperations(
  registry: Registry,
  store: AdmissionStore,
): Pick<PortalOperations, 'getOwnUsage'> {
  async function loadUsage({ quotaId, plan, planName, limits, keys }: Quota) {
    const usage = await store.inspect(quotaId, limits);
    const ban = await toBanForConsumers(registry, quotaId, usage.ban);
    return { quotaId, planName, keys, ...toUsageJson(plan, usage), ban };
  }

  return {
    async getOwnUsage({ caller }) {
      const signedIn = requireSession(caller);
      const { items: keys } = await listOwnKeys(registry, signedIn, 'active', { limit: MAX_KEYS });
      const plans = await registry.plansById();
      const quotas = listQuotas(signedIn, keys, plans);
      return { status: 200, body: { items: await Promise.all(quotas.map(loadUsage)) } };
    },
  };
}

/**
 * Lists the quotas of the account and its keys. The account's own quota comes first, and is listed even if the account
 * has no keys.
 */
function listQuotas({ account }: SignedIn, keys: readonly Key[], plans: ReadonlyMap<string, StoredPlan>): Quota[] {
  const quotas = new Map<string, Quota>();
  if (account !== null) {
    const plan = plans.get(account.plan);
    if (plan === undefined || plan.limits === null) throw createPlanNotFoundError(account.plan);
    const { id, name: planName, limits } = plan;
    quotas.set(account.quotaId, { quotaId: account.quotaId, plan: id, planName, limits, keys: [] });
  }
  for (const key of keys) {
    const quota = quotas.get(key.quotaId) ?? toQuota(key, plans);
    quota.keys.push(key.id);
    quotas.set(key.quotaId, quota);
  }
  return [...quotas.values()];
}

function toQuota(key: Key, plans: ReadonlyMap<string, StoredPlan>): Quota {
  const { quotaId, plan, limits } = toCredential(key, plans.get(key.plan) ?? null);
  return { quotaId, plan, planName: plans.get(plan)?.name ?? plan, limits, keys: [] };
}
