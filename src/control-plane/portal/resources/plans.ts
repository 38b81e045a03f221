import { SECOND_MS } from '../../../base/time.ts';
import type { BanPolicy } from '../../../data-plane/boundary-types.ts';
import { type Plan, createPlanNotFoundError } from '../../../domain/plan.ts';
import { chooseLowerLimit } from '../../../domain/quota-limits.ts';
import type { Key } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { nameOperation, type Outline } from '../front/outline.ts';
import { requireSession } from '../access/caller.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';

export interface OwnPlanDependencies {
  readonly registry: Registry;
  /** `portal.requestablePlans`. */
  readonly requestablePlans: readonly string[];
  readonly outline: Outline;
  /** The rule for bans of keys with this minute limit. Its `strikes` is already adapted to the limit. */
  readonly findBanTerms: (minuteLimit: number) => BanPolicy;
}

export function createPlanOperations({
  registry,
  requestablePlans,
  findBanTerms,
  outline,
}: OwnPlanDependencies): Pick<PortalOperations, 'listOwnPlans'> {
  return {
    async listOwnPlans({ caller }) {
      const { account, key } = requireSession(caller);
      const id = account === null ? key.plan : account.plan;
      const plan = await registry.getPlan(id);
      if (plan === null) throw createPlanNotFoundError(id);
      const current = key === null ? plan : { ...plan, ...findOwnTerms(plan, key) };
      const otherPlans = account === null ? [] : await findRequestablePlans(registry, requestablePlans, id);
      const bans = current.limits === null ? null : toBanTermsJson(findBanTerms(current.limits.minute));
      return {
        status: 200,
        body: {
          current: toPlanJson(current, outline),
          requestable: otherPlans.map((one) => toPlanJson(one, outline)),
          bans,
        },
      };
    },
  };
}

/**
 * The limits that apply to a key: those of the plan or, if the plan has none, those of the key. For concurrent
 * requests, the lower of the two limits applies.
 */
function findOwnTerms(plan: Plan, key: Key): Pick<Plan, 'limits' | 'concurrent'> {
  return { limits: plan.limits ?? key.limits, concurrent: chooseLowerLimit(plan.concurrent, key.concurrent) };
}

/**
 * Finds the plans that an account may request, in the order of the configuration. Deleted plans are left out, even if the
 * configuration still names them.
 */
export async function findRequestablePlans(
  registry: Registry,
  ids: readonly string[],
  current: string,
): Promise<Plan[]> {
  const plans = await registry.plansById();
  return ids.flatMap((id) => {
    const plan = plans.get(id);
    return plan === undefined || plan.custom || id === current ? [] : [plan];
  });
}

export function toBanTermsJson({ strikes, withinMs, durationsMs }: BanPolicy): Schemas['BanTerms'] {
  const lengthsSeconds = durationsMs.map((lengthMs) => lengthMs / SECOND_MS);
  return { strikes, withinSeconds: withinMs / SECOND_MS, lengthsSeconds };
}

export function toPlanJson(
  { id, name, description, priceText, limits, concurrent, operations }: Plan,
  outline: Outline,
): Schemas['Plan'] {
  const includes = operations?.map((selector) => toIncludedJson(selector, outline)) ?? null;
  return { id, name, description, priceText, limits, concurrent, operations, includes };
}

const TAG_PREFIX = 'tag:';

function toIncludedJson(selector: string, { operations, services }: Outline) {
  if (selector.startsWith(TAG_PREFIX)) {
    const name = selector.slice(TAG_PREFIX.length);
    const counts = services.map((service) => service.countTagged(name));
    return { selector, name, operation: null, operations: counts.reduce((sum, count) => sum + count, 0) };
  }
  const operation = operations.get(selector);
  if (operation === undefined) return { selector, name: selector, operation: null, operations: 0 };
  return { selector, name: nameOperation(operation), operation: selector, operations: 1 };
}
