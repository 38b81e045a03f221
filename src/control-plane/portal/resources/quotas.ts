import type { BanView, AdmissionStore } from '../../../data-plane/boundary-types.ts';
import { credentialOf, type Key } from '../../registry/key.ts';
import type { Limits } from '../../../base/quota-limits.ts';
import { usageBody } from '../../gateway-endpoints/endpoint-handlers.ts';
import { BAN_START, banRecord, identityOf, readStart } from '../../registry/ban-record.ts';
import { planNotFound, type StoredPlan } from '../../registry/plan.ts';
import type { Registry } from '../../registry/registry.ts';
import type { SignedIn } from '../../accounts/account-sessions.ts';
import { requireSession } from '../access/caller.ts';
import { listOwnKeys } from '../access/key-ownership.ts';
import type { PortalOperations } from './portal-handlers.ts';

/** Maximum number of keys whose quotas are shown: operators may have given one owner thousands. */
const MAX_KEYS = 100;
/** The ban that runs is among the latest of its quota. */
const BANS_READ = 10;

interface Quota {
  readonly quotaId: string;
  readonly plan: string;
  readonly planName: string;
  readonly limits: Limits;
  readonly keys: string[];
}

/** What remains of the quotas of a caller's keys. */
export function quotaOperations(registry: Registry, store: AdmissionStore): Pick<PortalOperations, 'getOwnUsage'> {
  async function usageOf({ quotaId, plan, planName, limits, keys }: Quota) {
    const usage = await store.inspect(quotaId, limits);
    const body = usageBody(plan, usage);
    const ban = usage.ban && { ...banRecord(usage.ban), reason: await reasonOf(quotaId, usage.ban) };
    return { quotaId, planName, keys, ...body, ban };
  }

  /** Null if none was given, or the record is not written yet. */
  async function reasonOf(quotaId: string, ban: BanView): Promise<string | null> {
    const { items } = await registry.listAudit({ subject: quotaId, action: BAN_START }, { limit: BANS_READ });
    const wanted = identityOf(banRecord(ban));
    return items.find((entry) => identityOf(readStart(entry)) === wanted)?.reason ?? null;
  }

  return {
    async getOwnUsage({ caller }) {
      const signedIn = requireSession(caller);
      const { items: keys } = await listOwnKeys(registry, signedIn, 'active', { limit: MAX_KEYS });
      const plans = await registry.plansById();
      const quotas = quotasOf(signedIn, keys, plans);
      return { status: 200, body: { items: await Promise.all(quotas.map(usageOf)) } };
    },
  };
}

/** The account's own first, even while it has no keys. */
function quotasOf({ account }: SignedIn, keys: readonly Key[], plans: ReadonlyMap<string, StoredPlan>): Quota[] {
  const quotas = new Map<string, Quota>();
  if (account !== null) {
    const plan = plans.get(account.plan);
    if (plan === undefined || plan.limits === null) throw planNotFound(account.plan);
    const { id, name: planName, limits } = plan;
    quotas.set(account.quotaId, { quotaId: account.quotaId, plan: id, planName, limits, keys: [] });
  }
  for (const key of keys) {
    const quota = quotas.get(key.quotaId) ?? quotaOf(key, plans);
    quota.keys.push(key.id);
    quotas.set(key.quotaId, quota);
  }
  return [...quotas.values()];
}

function quotaOf(key: Key, plans: ReadonlyMap<string, StoredPlan>): Quota {
  const { quotaId, plan, limits } = credentialOf(key, plans.get(key.plan) ?? null);
  return { quotaId, plan, planName: plans.get(plan)?.name ?? plan, limits, keys: [] };
}
