import { type Clock, toDateTime } from '../../../base/time.ts';
import { checkLimits, createPlanNotFoundError } from '../../../domain/plan.ts';
import type { Limits } from '../../../domain/quota-limits.ts';
import type { HistoryStore, PreviewReport } from '../../history/store/history-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';

export interface PreviewReads {
  readonly getPlan: Registry['getPlan'];
  readonly preview: HistoryStore['preview'];
  readonly clock: Clock;
}

export function createPreviewOperations({
  getPlan,
  preview,
  clock,
}: PreviewReads): Pick<AdminOperations, 'previewPlan'> {
  return {
    async previewPlan({ path: { id }, body: { limits, keys } }) {
      if ((await getPlan(id)) === null) throw createPlanNotFoundError(id);
      checkLimits(limits);
      return { status: 200, body: toPreviewJson(id, limits, await preview({ plan: id, keys, limits, now: clock() })) };
    },
  };
}

export function toPreviewJson(plan: string, limits: Limits, report: PreviewReport): Schemas['Preview'] {
  const { minutesFrom, daysFrom, monthsFrom, keysExamined, keysAbove, keysUsedUp, keys } = report;
  return {
    plan,
    limits,
    minutesFrom: toDateTime(minutesFrom),
    daysFrom: toDateTime(daysFrom),
    monthsFrom: toDateTime(monthsFrom),
    keysExamined,
    keysAbove,
    keysUsedUp,
    keys,
  };
}
