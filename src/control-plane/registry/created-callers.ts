import type { CallerSource } from '../../data-plane/boundary-types.ts';
import { generateKeyId } from '../../domain/key-format.ts';
import { callerOwner, hashCaller } from '../../domain/token-caller.ts';
import type { Registry } from './registry.ts';

/** Creates the keys of callers with access tokens. */
export function createdCallers(registry: Registry): CallerSource {
  return {
    async registerCaller(caller, { plan, now }) {
      const { name, issuer, claim, value } = caller;
      const [id, hash] = [generateKeyId(), hashCaller(caller)];
      const token = { name, issuer, caller: value, claim };
      const none = { prefix: '', lastFour: '', limits: null, concurrent: null, operations: null, addresses: null };
      const terms = {
        ...none,
        validation: null,
        externalId: null,
        status: 'active',
        metadata: {},
        expiresAt: null,
      } as const;
      const key = { ...terms, id, kind: 'token', hash, token, name: value, owner: callerOwner(caller) } as const;
      try {
        await registry.createKey(
          { ...key, plan, quotaId: id, createdAt: now },
          { actor: 'system', reason: null, at: now },
        );
      } catch (error) {
        const found = await registry.findCredential(hash, 'token');
        if (found === null) throw error;
      }
      return (await registry.findCredential(hash, 'token')) ?? 'owner_taken';
    },
  };
}
