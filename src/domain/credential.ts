import type { Clock } from '../base/time.ts';
import type { KeyToken } from './token-caller.ts';
import type { Limits, Mode, OnStoreFailure } from './quota-limits.ts';

export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** `secret`: Tollgate created the secret; `foreign`: another gateway did; `token`: a caller with access tokens. */
export type KeyKind = 'secret' | 'foreign' | 'token';

/** The kind of credential that a request or an operation presents to find a key. A secret never finds a key of kind `token`. */
export type Presented = 'secret' | 'token';

/** Whether a key of this kind may be found with what was presented. */
export function isFoundBy(kind: KeyKind, presented: Presented): boolean {
  return (kind === 'token') === (presented === 'token');
}

/**
 * Everything about a key that the request path needs, collected in advance. Immutable. Times are in ms since the Unix
 * epoch.
 */
export interface Credential {
  readonly keyId: string;
  readonly kind: KeyKind;
  /** The caller that a key of kind `token` belongs to; null for the other kinds. */
  readonly token: KeyToken | null;
  /**
   * Identifies the counters, strikes and bans. All keys of a rotation chain or of an account have the same `quotaId`.
   */
  readonly quotaId: string;
  readonly owner: string;
  /** The id of the plan. */
  readonly plan: string;
  /** The limits in force: the plan's, or the key's own if the plan is custom. */
  readonly limits: Limits;
  /**
   * Maximum number of requests of this quota in flight on one gateway: the plan's, or the key's own if that is lower.
   * Null: no limit.
   */
  readonly concurrent: number | null;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
  readonly status: KeyStatus;
  readonly expiresAt: number | null;
  /** Selectors of the operations that the plan includes. Null: all operations. */
  readonly planOperations: readonly string[] | null;
  /** Selectors of the operations that the key is restricted to. Null: all operations. */
  readonly keyOperations: readonly string[] | null;
  /** Addresses and CIDR ranges that the key may be used from; null: from everywhere. */
  readonly addresses: readonly string[] | null;
  /** `report`: a request that does not fit the document is never refused. Null: as the operation says. */
  readonly validation: 'report' | null;
  /**
   * The value of `X-Key-Expires` for a rotated key that expires once it is no longer used: its latest expiry, as an HTTP
   * date (RFC 9110, 5.6.7). Null for every other key.
   */
  readonly endNotice: string | null;
}

/** Finds the reason to refuse a caller with this credential. @returns null if the credential is valid */
export function findCredentialFault(
  { status, expiresAt }: Credential,
  clock: Clock,
): 'key_revoked' | 'key_expired' | null {
  if (status !== 'active') return 'key_revoked';
  return expiresAt !== null && expiresAt <= clock() ? 'key_expired' : null;
}
