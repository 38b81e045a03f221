import { LRUCache } from 'lru-cache';
import type { Registry } from '../../registry/registry.ts';
import type { JsonObject } from '../../../base/json.ts';
import { createRunInOrder } from '../../../base/one-at-a-time.ts';
import { markIncluded } from '../../../openapi/mark-included.ts';
import type { FindPlansIncluding } from '../../registry/plans-including.ts';
import type { StoredText } from '../../../http/stored-text.ts';
import { storeDocument } from '../../gateway-endpoints/endpoint-handlers.ts';
import { type PortalCaller, requireSession } from '../access/caller.ts';
import type { Outline } from '../front/outline.ts';
import { findReferenceParts } from '../front/reference-parts.ts';
import type { PortalOperations } from './portal-handlers.ts';
import type { ServedOperation } from './changes.ts';

export interface ReferenceDependencies {
  readonly registry: Registry;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: JsonObject;
  readonly plansIncluding: FindPlansIncluding;
}

/** Maximum memory, in bytes, for cached documents with marked operations. */
const MAX_DOCUMENTS_BYTES = 64 * 1024 ** 2;
/** A plan may change, so marked documents are cached only briefly. */
const DOCUMENT_TTL_MS = 5000;

interface MarkContext {
  readonly what: 'document' | 'index';
  /** The selectors of the caller's plan and key. */
  readonly selectors: Parameters<typeof markIncluded>[2];
}

export function createReferenceOperations(
  dependencies: ReferenceDependencies,
  outline: Outline,
): Pick<PortalOperations, 'getReference' | 'getReferenceIndex'> {
  const { registry, served, publicDocument, plansIncluding } = dependencies;
  const parts = findReferenceParts(outline);
  const operations = served.map(({ operation }) => operation);
  const runInOrder = createRunInOrder();
  const markedTexts = new LRUCache<string, StoredText, MarkContext>({
    maxSize: MAX_DOCUMENTS_BYTES,
    sizeCalculation: ({ maxBytes }) => maxBytes,
    ttl: DOCUMENT_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _before, { context: { what, selectors } }) =>
      runInOrder(async () => {
        const document = what === 'index' ? await parts.index() : publicDocument;
        return storeDocument(await markIncluded(document, operations, selectors, plansIncluding));
      }),
  });

  async function loadAnnotatedText(caller: PortalCaller, what: MarkContext['what']): Promise<StoredText> {
    const { account, key } = requireSession(caller);
    const plan = await registry.getPlan(account === null ? key.plan : account.plan);
    const selectors = [plan?.operations ?? null, key?.operations ?? null];
    return markedTexts.forceFetch(JSON.stringify([what, ...selectors]), { context: { what, selectors } });
  }

  return {
    async getReference({ caller }) {
      return { status: 200, stored: await loadAnnotatedText(caller, 'document') };
    },

    async getReferenceIndex({ caller }) {
      return { status: 200, stored: await loadAnnotatedText(caller, 'index') };
    },
  };
}
