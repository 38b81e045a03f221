import type { ClientAddress } from '../../../http/addresses.ts';
import type { Registry } from '../../registry/registry.ts';
import type { JsonObject } from '../../../base/json.ts';
import { markIncluded } from '../../../openapi/mark-included.ts';
import type { PlansIncluding } from '../../registry/plans-including.ts';
import { requireSession } from '../access/caller.ts';
import { getOwnKey } from '../access/key-ownership.ts';
import type { PortalOperations } from './portal-handlers.ts';
import type { MakeCall } from '../try/make-call.ts';
import { checkHeaders } from '../try/try-headers.ts';
import { createCheckOperation } from '../try/check-operation.ts';
import { RunningCalls } from '../try/running-calls.ts';
import type { ServedOperation } from './changes.ts';

export interface ReferenceDependencies {
  readonly registry: Registry;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: JsonObject;
  readonly plansIncluding: PlansIncluding;
  readonly makeCall: MakeCall;
  readonly clientAddress: ClientAddress;
}

export function referenceOperations(
  settings: ReferenceDependencies,
): Pick<PortalOperations, 'getReference' | 'tryCall'> {
  const { registry, served, publicDocument, plansIncluding, makeCall, clientAddress } = settings;
  const operations = served.map(({ operation }) => operation);
  const checkOperation = createCheckOperation(served, publicDocument);
  const running = new RunningCalls();

  return {
    async getReference({ caller }) {
      const { account, key } = requireSession(caller);
      const plan = await registry.getPlan(account === null ? key.plan : account.plan);
      const selectors = [plan?.operations ?? null, key?.operations ?? null];
      return { status: 200, body: await markIncluded(publicDocument, operations, selectors, plansIncluding) };
    },

    async tryCall({ body: tried, caller, request }) {
      const { keyId, method, path, headers } = tried;
      const signedIn = requireSession(caller);
      const { hash: keyHash } = await getOwnKey(registry, signedIn, keyId);
      checkHeaders(headers);
      checkOperation(method, path);
      const body = tried.body === null ? null : Buffer.from(tried.body, tried.bodyEncoding);
      const call = { keyHash, address: clientAddress(request), method, path, headers, body };
      return { status: 200, body: await running.run(signedIn.session.id, () => makeCall(call)) };
    },
  };
}
