import type { Plan } from '../registry/registry.ts';
import { pathTo, type AdminApi } from './admin/api.ts';
import { ApiError } from './admin/api-error.ts';
import { listAll } from './admin/list.ts';
import { Failure } from './failure.ts';
import type { PlanDiff } from './plan-diff.ts';

/** A plan as it was when the difference was made. */
export interface PresentPlan {
  readonly plan: Plan;
  readonly etag: string;
}

/** Each read by itself, because only that tells its version. */
export async function presentPlans(api: AdminApi): Promise<Map<string, PresentPlan>> {
  const present = new Map<string, PresentPlan>();
  for (const { id } of (await listAll<Plan>(api, '/plans')).items) {
    try {
      const { body, etag } = await api.call<Plan>('GET', pathTo('plans', id));
      present.set(id, { plan: body, etag });
    } catch (error) {
      // Gone since it was listed.
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
 * Plan by plan, deletions last, each only while it is as it was shown.
 *
 * @throws Failure at the first that cannot be done, saying what was and what was not
 */
export async function applyDiff(
  api: AdminApi,
  { added, changed, deleted }: PlanDiff,
  present: ReadonlyMap<string, PresentPlan>,
  reason: string | undefined,
): Promise<void> {
  const onCondition = (id: string) => ({ reason, ifMatch: present.get(id)?.etag ?? '' });
  const steps: Step[] = [
    ...added.map((plan) => ({ id: plan.id, work: () => api.call('POST', '/plans', { json: plan, reason }) })),
    ...changed.map(({ plan }) => ({
      id: plan.id,
      work: () => api.call('PUT', pathTo('plans', plan.id), { json: plan, ...onCondition(plan.id) }),
    })),
    ...deleted.map(({ id }) => ({ id, work: () => api.call('DELETE', pathTo('plans', id), onCondition(id)) })),
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
