/**
 * The operations that change nothing although they are POST (`x-tollgate-reads`). Viewers may call them, so their
 * handlers get functions that read, and nothing that can write.
 */
import type { HistoryStore } from '../../history/store/history-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations } from './admin-handlers.ts';
import { type ConfigPreviewReads, createConfigPreviewOperations } from './system-preview.ts';
import { createDocumentOperations, type DocumentReads } from './documents.ts';
import { createPreviewOperations, type PreviewReads } from './plans-preview.ts';

export interface Reads extends ConfigPreviewReads, DocumentReads, PreviewReads {}

interface ReadingDependencies extends Omit<DocumentReads, 'audience'>, Pick<ConfigPreviewReads, 'previewReload'> {
  readonly registry: Pick<Registry, 'countKeysByPlan' | 'getPlan' | 'isPlanUsed' | 'keysWithOperations' | 'listPlans'>;
  readonly history: Pick<HistoryStore, 'audience' | 'preview'>;
}

/** Selects from the parts of a gateway what reading operations may use. */
export function selectReads(dependencies: ReadingDependencies): Reads {
  const { registry, history, comparisons, services, previewReload, clock } = dependencies;
  return {
    getPlan: (id) => registry.getPlan(id),
    listPlans: () => registry.listPlans(),
    keysWithOperations: (limit) => registry.keysWithOperations(limit),
    countKeysByPlan: () => registry.countKeysByPlan(),
    isPlanUsed: (id) => registry.isPlanUsed(id),
    audience: (query) => history.audience(query),
    preview: (query) => history.preview(query),
    comparisons,
    services,
    previewReload,
    clock,
  };
}

export function createReadingOperations(
  reads: Reads,
): Pick<AdminOperations, 'previewConfiguration' | 'previewPlan' | 'compareDocument'> {
  return {
    ...createPreviewOperations(reads),
    ...createDocumentOperations(reads),
    ...createConfigPreviewOperations(reads),
  };
}
