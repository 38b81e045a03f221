import { LRUCache } from 'lru-cache';
import type { ClientAddress } from '../../../http/addresses.ts';
import type { Registry } from '../../registry/registry.ts';
import type { JsonObject } from '../../../base/json.ts';
import { markIncluded } from '../../../openapi/mark-included.ts';
import type { PlansIncluding } from '../../registry/plans-including.ts';
import { StoredText } from '../../api-server/stored-text.ts';
import { textOf } from '../../gateway-endpoints/endpoint-handlers.ts';
import { type PortalCaller, requireSession } from '../access/caller.ts';
import { getOwnKey } from '../access/key-ownership.ts';
import type { Outline } from '../front/outline.ts';
import { referencePartsOf } from '../front/reference-parts.ts';
import type { PortalOperations } from './portal-handlers.ts';
import type { MakeCall } from '../try/make-call.ts';
import { checkHeaders } from '../try/try-headers.ts';
import { createCheckOperation } from '../try/check-operation.ts';
import type { RunningCalls } from '../try/running-calls.ts';
import type { ServedOperation } from './changes.ts';

export interface ReferenceDependencies {
  readonly registry: Registry;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: JsonObject;
  readonly plansIncluding: PlansIncluding;
  readonly makeCall: MakeCall;
  readonly clientAddress: ClientAddress;
  readonly runningCalls: RunningCalls;
}

/** By document: an unchanged one stays the same object when the configuration is reloaded. */
const stored = new WeakMap<JsonObject, StoredText>();

/** A document for consumers as it is sent, written and compressed once. */
export function storedReference(document: JsonObject): StoredText {
  let text = stored.get(document);
  if (text === undefined) stored.set(document, (text = new StoredText(textOf(document))));
  return text;
}

/** Marked documents that are kept, and for how long: plans may change. */
const MAX_DOCUMENTS = 20;
const DOCUMENTS_KEPT_MS = 5000;

export function referenceOperations(
  settings: ReferenceDependencies,
  outline: Outline,
): Pick<PortalOperations, 'getReference' | 'getReferenceIndex' | 'tryCall'> {
  const { registry, served, publicDocument, plansIncluding, makeCall, clientAddress, runningCalls } = settings;
  const parts = referencePartsOf(outline);
  const operations = served.map(({ operation }) => operation);
  const checkOperation = createCheckOperation(served, publicDocument);
  const marked = new LRUCache<string, Promise<StoredText>>({ max: MAX_DOCUMENTS, ttl: DOCUMENTS_KEPT_MS });

  async function markedText(caller: PortalCaller, what: 'document' | 'index'): Promise<StoredText> {
    const { account, key } = requireSession(caller);
    const plan = await registry.getPlan(account === null ? key.plan : account.plan);
    const selectors = [plan?.operations ?? null, key?.operations ?? null];
    const markedAs = JSON.stringify([what, ...selectors]);
    let text = marked.get(markedAs);
    if (text === undefined) {
      const document = what === 'index' ? parts.index() : Promise.resolve(publicDocument);
      text = document.then((value) => markIncluded(value, operations, selectors, plansIncluding)).then(storedReference);
      marked.set(markedAs, text);
    }
    return text;
  }

  return {
    async getReference({ caller }) {
      return { status: 200, stored: await markedText(caller, 'document') };
    },

    async getReferenceIndex({ caller }) {
      return { status: 200, stored: await markedText(caller, 'index') };
    },

    async tryCall({ body: tried, caller, request }) {
      const { keyId, method, path, headers } = tried;
      const signedIn = requireSession(caller);
      const { hash: keyHash } = await getOwnKey(registry, signedIn, keyId);
      checkHeaders(headers);
      checkOperation(method, path);
      const body = tried.body === null ? null : Buffer.from(tried.body, tried.bodyEncoding);
      const call = { keyHash, address: clientAddress(request), method, path, headers, body };
      return { status: 200, body: await runningCalls.run(signedIn.session.id, () => makeCall(call)) };
    },
  };
}
