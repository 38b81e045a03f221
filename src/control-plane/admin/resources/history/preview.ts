import { type Clock, toDateTime } from '../../../../base/time.ts';
import type { Limits } from '../../../../base/limits.ts';
import type { HistoryStore, PreviewReport } from '../../../history/reports.ts';
import type { Registry } from '../../../registry/registry.ts';
import { checkPlan, planNotFound } from '../../../registry/plans/plan.ts';
import type { AdminOperations, Call } from '../../operation.ts';

export function previewOperations(history: HistoryStore, registry: Registry, clock: Clock): AdminOperations {
  return {
    async previewPlan({ path: { id = '' }, body: { limits } }: Call<{ readonly limits: Limits }>) {
      const plan = await registry.getPlan(id);
      if (plan === null) throw planNotFound(id);
      checkPlan({ ...plan, custom: false, limits });
      return { status: 200, body: previewJson(id, limits, await history.preview({ plan: id, limits, now: clock() })) };
    },
  };
}

export function previewJson(plan: string, limits: Limits, report: PreviewReport) {
  const { minutesFrom, daysFrom, keysAbove, keys } = report;
  return { plan, limits, minutesFrom: toDateTime(minutesFrom), daysFrom: toDateTime(daysFrom), keysAbove, keys };
}
