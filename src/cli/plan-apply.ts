import type { Plan } from '../control-plane/registry/plans/plan.ts';
import { pathTo, type AdminApi } from './admin/api.ts';
import { ApiError } from './admin/api-error.ts';
import { listAll } from './admin/read-pages.ts';
import { Failure } from './failure.ts';
import type { PlanDiff } from './plan-diff.ts';

/** A plan as it was when it was compared. */
export interface PresentPlan {
  readonly plan: Plan;
  readonly etag: string;
}

/** Reads the plans one by one, because only that gives their entity tags. */
export async function presentPlans(api: AdminApi): Promise<Map<string, PresentPlan>> {
  const present = new Map<string, PresentPlan>();
  for (const { id } of (await listAll<Plan>(api, '/plans')).items) {
    try {
      const { body, etag } = await api.call<Plan>('GET', pathTo('plans', id));
      present.set(id, { plan: body, etag });
    } catch (error) {
      // It was deleted after it was listed.
      if (!(error instanceof ApiError && error.code === 'plan_not_found')) throw error;
    }
  }
  return present;
}

interface Step {
  readonly id: string;
  readonly work: () => Promise<unknown>;
}

/**
 * Applies a difference plan by plan, deletions last; each plan only if it is still as it was shown.
 *
 * @throws Failure at the first step that fails; it says what was done and what was not
 */
export async function applyDiff(
  api: AdminApi,
  { added, changed, deleted }: PlanDiff,
  present: ReadonlyMap<string, PresentPlan>,
  reason: string | undefined,
): Promise<void> {
  const ifUnchanged = (id: string) => ({ reason, ifMatch: present.get(id)?.etag ?? '' });
  const steps: Step[] = [
    ...added.map((plan) => ({ id: plan.id, work: () => api.call('POST', '/plans', { json: plan, reason }) })),
    ...changed.map(({ plan }) => ({
      id: plan.id,
      work: () => api.call('PUT', pathTo('plans', plan.id), { json: plan, ...ifUnchanged(plan.id) }),
    })),
    ...deleted.map(({ id }) => ({ id, work: () => api.call('DELETE', pathTo('plans', id), ifUnchanged(id)) })),
  ];
  for (const [index, { id, work }] of steps.entries()) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const named = (some: readonly Step[]) => some.map((step) => step.id).join(', ') || 'none';
      throw new Failure(
        `plan ${id}: ${whyNot(id, error)}\n  done: ${named(steps.slice(0, index))}\n` +
          `  not done: ${named(steps.slice(index))}\nThe same command, run again, shows what is left.`,
      );
    }
  }
}

function whyNot(id: string, error: Failure): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 412 || error.code === 'conflict' || error.code === 'plan_not_found') {
    return 'somebody else changed it since it was compared, and that was not overwritten';
  }
  return error.message.replaceAll('--plan ID', `--plan ${id}`);
}
