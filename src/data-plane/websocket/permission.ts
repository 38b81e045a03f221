import type { Clock } from '../../base/time.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import { credentialFault } from '../../base/credential.ts';

/** Whether the key of a request would still be admitted. Rejects if that is not known at the moment. */
export type StillAllowed = () => Promise<boolean>;

/** Makes the check that a connection must keep passing once it outlives the admission of its request. */
export type PermissionOf = (exchange: { readonly keyHash: string | null }) => StillAllowed;

export interface PermissionSettings {
  readonly credentialCache: CredentialCache;
  readonly store: AdmissionStore;
  readonly clock: Clock;
}

export function createPermissionOf({ credentialCache, store, clock }: PermissionSettings): PermissionOf {
  return function permissionOf({ keyHash }) {
    if (keyHash === null) return () => Promise.resolve(true);
    return async () => {
      const credential = await credentialCache.lookUp(keyHash);
      if (credential === null || credentialFault(credential, clock) !== null) return false;
      const { ban } = await store.inspect(credential.quotaId, credential.limits);
      return ban === null;
    };
  };
}
