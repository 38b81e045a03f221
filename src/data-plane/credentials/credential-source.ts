import type { Credential } from '../../base/credential.ts';

/** What a cache must forget after a change: one key, by its hash, or all (a plan changed, which may affect any key). */
export type Invalidation = { readonly kind: 'key'; readonly hash: string } | { readonly kind: 'all' };

/** Where credentials come from: the registry. Rejects with `StoreUnavailable` while it does not answer. */
export interface CredentialSource {
  /** @param hash SHA-256 of the secret, base64url @returns null if no key has it */
  findCredential(hash: string): Promise<Credential | null>;
  /** Records when keys were last used (id → ms since the Unix epoch). Never moves a time back. */
  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void>;
  /** Calls the listener after every change by anyone; with `all` also if changes may have been missed. */
  onInvalidation(listener: (what: Invalidation) => void): void;
}
