import type { Limits } from '../../../admission/decide.ts';
import type { Clock } from '../../../admission/store.ts';
import { toDateTime } from '../../../base/date-time.ts';
import type { HistoryStore } from '../../../history/history-store.ts';
import type { Registry } from '../../../registry/registry.ts';
import { checkPlan, planNotFound } from '../../../registry/rules.ts';
import type { AdminOperations, Call } from '../../operation.ts';

export function previewOperations(history: HistoryStore, registry: Registry, clock: Clock): AdminOperations {
  return {
    async previewPlan({ path: { id = '' }, body: { limits } }: Call<{ readonly limits: Limits }>) {
      const plan = await registry.getPlan(id);
      if (plan === null) throw planNotFound(id);
      checkPlan({ ...plan, custom: false, limits });
      const { minutesFrom, daysFrom, keysAbove, keys } = await history.preview({ plan: id, limits, now: clock() });
      const since = { minutesFrom: toDateTime(minutesFrom), daysFrom: toDateTime(daysFrom) };
      return { status: 200, body: { plan: id, limits, ...since, keysAbove, keys } };
    },
  };
}
