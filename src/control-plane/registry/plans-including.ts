import type { Clock } from '../../base/time.ts';
import { isIncluded } from '../../openapi/operation-selectors.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Registry } from './registry.ts';

/** Refused clients can call as often as they like, so the plans are not read again for every call. */
const READ_EVERY_MS = 5000;

/**
 * Finds the names of the plans that include an operation. Never rejects: finds none while the database is unavailable.
 */
export type FindPlansIncluding = (operation: Pick<Operation, 'id' | 'tags' | 'public'>) => Promise<readonly string[]>;

/** @param requestableIds the plans that consumers may ask for: `portal.requestablePlans` */
export function createPlanFinder(
  registry: Pick<Registry, 'listPlans'>,
  requestableIds: readonly string[],
  clock: Clock,
): FindPlansIncluding {
  let plans: Promise<readonly Plan[]> = Promise.resolve([]);
  let readAt = -Infinity;

  function loadPlans(): Promise<readonly Plan[]> {
    const now = clock();
    if (Math.abs(now - readAt) >= READ_EVERY_MS) {
      readAt = now;
      plans = registry.listPlans().catch(() => []);
    }
    return plans;
  }

  return async function findPlansIncluding(operation) {
    const plansById = new Map((await loadPlans()).map((plan) => [plan.id, plan]));
    return requestableIds.flatMap((id) => {
      const plan = plansById.get(id);
      return plan !== undefined && isIncluded([plan.operations], operation) ? [plan.name] : [];
    });
  };
}
