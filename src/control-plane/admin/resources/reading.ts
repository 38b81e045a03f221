/**
 * The operations that change nothing although they are POST (`x-tollgate-reads`). Viewers may call them, so their
 * handlers get functions that read, and nothing that can write.
 */
import { type Clock, toDateTime } from '../../../base/time.ts';
import { checkLimits, createPlanNotFoundError } from '../../../domain/plan.ts';
import type { Limits } from '../../../domain/quota-limits.ts';
import type { HistoryStore, PreviewReport } from '../../history/store/history-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { createDocumentOperations, type DocumentReads } from './documents.ts';

export interface Reads extends DocumentReads {
  readonly getPlan: Registry['getPlan'];
  readonly preview: HistoryStore['preview'];
}

interface ReadingDependencies extends Omit<DocumentReads, 'audience'> {
  readonly registry: Pick<Registry, 'getPlan'>;
  readonly history: Pick<HistoryStore, 'audience' | 'preview'>;
}

/** Selects from the parts of a gateway what reading operations may use. */
export function selectReads({ registry, history, comparisons, services, clock }: ReadingDependencies): Reads {
  return {
    getPlan: (id) => registry.getPlan(id),
    audience: (query) => history.audience(query),
    preview: (query) => history.preview(query),
    comparisons,
    services,
    clock,
  };
}

export function createReadingOperations(reads: Reads): Pick<AdminOperations, 'previewPlan' | 'compareDocument'> {
  return { ...createPreviewOperations(reads), ...createDocumentOperations(reads) };
}

function createPreviewOperations({
  getPlan,
  preview,
  clock,
}: Pick<Reads, 'getPlan' | 'preview'> & { readonly clock: Clock }): Pick<AdminOperations, 'previewPlan'> {
  return {
    async previewPlan({ path: { id }, body: { limits, keys } }) {
      if ((await getPlan(id)) === null) throw createPlanNotFoundError(id);
      checkLimits(limits);
      return { status: 200, body: toPreviewJson(id, limits, await preview({ plan: id, keys, limits, now: clock() })) };
    },
  };
}

function toPreviewJson(plan: string, limits: Limits, report: PreviewReport): Schemas['Preview'] {
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
