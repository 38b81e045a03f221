/** Reports the effects of a reload with the callers, keys and plans that they concern. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, DAY_MS, HOUR_MS, toDateTime } from '../../../base/time.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';
import { planFields } from '../../../domain/plan.ts';
import type { Audience, HistoryStore } from '../../history/store/history-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { OperationEffect, PlanEffect, ReloadEffects, Subjects } from '../../system/reload-effects.ts';
import type { Schemas } from './admin-handlers.ts';
import { toCallersJson } from './documents.ts';
import { toPreviewJson } from './plans-preview.ts';

const DAYS = 30;
/** Number of keys with operations of their own whose selectors are checked. */
const MAX_KEYS = 1000;
/** Number of plans whose keys are examined: each takes a query of the history. */
const MAX_PREVIEWED_PLANS = 20;
const NOBODY: Audience = { keys: 0, owners: 0, operations: new Map() };

export interface ReportReads {
  readonly listPlans: Registry['listPlans'];
  readonly keysWithOperations: Registry['keysWithOperations'];
  readonly countKeysByPlan: Registry['countKeysByPlan'];
  readonly isPlanUsed: Registry['isPlanUsed'];
  readonly audience: HistoryStore['audience'];
  readonly preview: HistoryStore['preview'];
  readonly clock: Clock;
}

type SubjectReads = Pick<ReportReads, 'keysWithOperations' | 'listPlans'>;

/** Reads the plans and keys whose selectors are checked. Does not reject while the database is unavailable. */
export async function readSubjects({ listPlans, keysWithOperations }: SubjectReads): Promise<Subjects> {
  try {
    const [plans, keys] = await Promise.all([listPlans(), keysWithOperations(MAX_KEYS + 1)]);
    const isCut = keys.length > MAX_KEYS;
    return {
      plans,
      keys: keys.slice(0, MAX_KEYS),
      areKnown: true,
      incomplete: isCut ? [`the selectors of only ${MAX_KEYS} keys were checked`] : [],
    };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const incomplete = ['the database is unavailable, so plans and keys were not checked'];
    return { plans: [], keys: [], areKnown: false, incomplete };
  }
}

export async function createReloadReport(reads: ReportReads, effects: ReloadEffects): Promise<Schemas['ReloadReport']> {
  const { changed, restart, settings, warnings, files, operations, opened, selectors, plans } = effects;
  const from = startOfHour(reads.clock() - DAYS * DAY_MS);
  const incomplete = [...effects.incomplete];
  /** @returns the fallback while the database is unavailable */
  async function read<Value>(promise: Promise<Value>, fallback: Value, missing: string): Promise<Value> {
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      incomplete.push(`the database is unavailable, so ${missing}`);
      return fallback;
    }
  }
  const readAudience = (items: readonly OperationEffect[]) => {
    const ids = [...new Set(items.flatMap(({ operation }) => operation?.id ?? []))];
    if (ids.length === 0) return NOBODY;
    return read(reads.audience({ operations: ids, from }), NOBODY, 'the callers are unknown');
  };
  const breaking = operations.items.filter(({ severity }) => severity === 'breaking');
  const [all, broken] = [await readAudience(operations.items), await readAudience(breaking)];
  const isCalled = ({ operation }: OperationEffect) => operation !== null && all.operations.has(operation.id);
  const planEffects = await read(reportPlans(reads, plans, incomplete), [], 'the plans are unknown');
  return {
    from: toDateTime(from),
    changed,
    restart,
    settings,
    warnings,
    files,
    operations: {
      added: operations.added,
      removed: operations.removed,
      changed: operations.changed,
      called: breaking.filter(isCalled).length,
      keys: broken.keys,
      owners: broken.owners,
      items: operations.items.map((item) => ({
        ...item,
        callers: toCallersJson(all.operations.get(item.operation?.id ?? '')),
      })),
    },
    public: opened,
    selectors,
    plans: planEffects,
    incomplete: [...new Set(incomplete)],
  };
}

/** The history counts by hour. */
function startOfHour(at: number): number {
  return at - (at % HOUR_MS);
}

/** @param incomplete gets why something is missing */
async function reportPlans(
  { countKeysByPlan, isPlanUsed, preview, clock }: ReportReads,
  plans: readonly PlanEffect[],
  incomplete: string[],
): Promise<Schemas['PlanEffect'][]> {
  if (plans.length === 0) return [];
  const counts = await countKeysByPlan();
  const reported: Schemas['PlanEffect'][] = [];
  let previews = 0;
  for (const { plan, stored, outcome } of plans) {
    const { id, limits } = plan;
    const fields = stored === null ? [] : planFields.filter((field) => !isDeepStrictEqual(stored[field], plan[field]));
    const changesKind = outcome === 'applied' && stored !== null && stored.custom !== plan.custom;
    const isRefused = changesKind && (await isPlanUsed(id));
    const isPreviewed = outcome === 'applied' && !isRefused && stored !== null && fields.includes('limits') && limits;
    if (isPreviewed) previews += 1;
    if (previews > MAX_PREVIEWED_PLANS) incomplete.push(`the keys of only ${MAX_PREVIEWED_PLANS} plans were examined`);
    reported.push({
      id,
      outcome: isRefused ? 'refused' : outcome === 'kept' ? 'kept' : stored === null ? 'created' : 'changed',
      fields,
      keys: counts.get(id)?.activeKeys ?? 0,
      preview:
        isPreviewed && previews <= MAX_PREVIEWED_PLANS
          ? toPreviewJson(id, limits, await preview({ plan: id, limits, now: clock() }))
          : null,
    });
  }
  return reported;
}
