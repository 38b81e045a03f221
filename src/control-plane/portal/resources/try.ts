import type { JsonObject } from '../../../base/json.ts';
import type { ClientAddress } from '../../../http/addresses.ts';
import { invalidField } from '../../api-server/refused.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireSession } from '../access/caller.ts';
import { getOwnKey } from '../access/key-ownership.ts';
import { createCheckOperation } from '../try/check-operation.ts';
import type { MakeCall } from '../try/make-call.ts';
import type { RunningCalls } from '../try/running-calls.ts';
import { checkHeaders } from '../try/try-headers.ts';
import type { ServedOperation } from './changes.ts';
import type { PortalOperations } from './portal-handlers.ts';

export interface TryDependencies {
  readonly registry: Registry;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: JsonObject;
  readonly makeCall: MakeCall;
  readonly clientAddress: ClientAddress;
  readonly runningCalls: RunningCalls;
}

export function createTryOperations({
  registry,
  served,
  publicDocument,
  makeCall,
  clientAddress,
  runningCalls,
}: TryDependencies): Pick<PortalOperations, 'tryCall'> {
  const checkOperation = createCheckOperation(served, publicDocument);

  return {
    async tryCall({ body: triedCall, caller, request }) {
      const { keyId, method, path, headers } = triedCall;
      const signedIn = requireSession(caller);
      const { hash: keyHash, kind } = await getOwnKey(registry, signedIn, keyId);
      if (kind === 'token') throw invalidField('/keyId', 'must be a key with a secret: this caller uses access tokens');
      checkHeaders(headers);
      checkOperation(method, path);
      const body = triedCall.body === null ? null : Buffer.from(triedCall.body, triedCall.bodyEncoding);
      const call = { keyHash, address: clientAddress(request), method, path, headers, body };
      return { status: 200, body: await runningCalls.run(signedIn.session.id, () => makeCall(call)) };
    },
  };
}
