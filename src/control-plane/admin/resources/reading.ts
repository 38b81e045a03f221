/**
 * The operations that change nothing although they are POST (`x-tollgate-reads`). Viewers may call them, so their
 * handlers get functions that read, and nothing that can write.
 */
import type { HistoryStore } from '../../history/store/history-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations } from './admin-handlers.ts';
import { createDocumentOperations, type DocumentReads } from './documents.ts';
import { createPreviewOperations, type PreviewReads } from './plans-preview.ts';

export interface Reads extends DocumentReads, PreviewReads {}

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
