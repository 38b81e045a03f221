import type { Clock } from '../../../base/time.ts';
import type { ErrorDetail } from '../../../base/error-codes.ts';
import { RegistryError } from '../../../base/error-types.ts';
import type { KeyLikeness } from '../../registry/key-rows.ts';
import type { Registry } from '../../registry/registry.ts';
import { checkLimits, type StoredPlan } from '../../registry/plan.ts';
import { keyJson } from './admin-key-json.ts';
import { makeKey, unknownPlan, type NewKeyBody } from './keys.ts';
import type { AdminOperations } from './admin-handlers.ts';
import type { CheckRestrictions } from './restrictions.ts';
import { invalid, Refused } from '../../api/refused.ts';

/** Creates many keys in one transaction: all or none. */
export function importOperations(
  registry: Registry,
  checkRestrictions: CheckRestrictions,
  clock: Clock,
): Pick<AdminOperations, 'importKeys'> {
  return {
    async importKeys({ query, body, change }) {
      const plans = new Map((await registry.listPlans()).map((plan) => [plan.id, plan]));
      const now = clock();
      const details: ErrorDetail[] = [];
      const made = body.keys.flatMap((one, index) => {
        try {
          checkTerms(one, plans.get(one.plan), `/keys/${index}`);
          checkRestrictions(one, `/keys/${index}`);
          return [makeKey(one, now, `/keys/${index}`)];
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          details.push(...(error.details ?? []));
          return [];
        }
      });
      if (details.length > 0) throw new Refused('validation_failed', { details });
      if (query.dryRun === 'true') return { status: 200, body: { existing: await existingOf(registry, body.keys) } };
      await registry.createKeys(
        made.map(({ key }) => key),
        change,
      );
      const items = made.map(({ key, secret }) => {
        return { ...keyJson({ ...key, lastUsedAt: null, rotatedTo: null }), key: secret };
      });
      return { status: 201, body: { items } };
    },
  };
}

async function existingOf(registry: Registry, keys: readonly KeyLikeness[]) {
  const ids = await registry.findAlike(keys);
  return ids.flatMap((id, index) => (id === null ? [] : [{ index, id }]));
}

/** The registry checks this too, but does not say which key is wrong. */
function checkTerms({ plan: id, limits }: NewKeyBody, plan: StoredPlan | undefined, base: string): void {
  if (plan === undefined) throw invalid(`${base}/plan`, unknownPlan(id));
  try {
    checkLimits(plan, limits);
  } catch (error) {
    if (error instanceof RegistryError) throw invalid(`${base}/limits`, error.message);
    throw error;
  }
}
