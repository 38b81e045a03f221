import type { Clock } from '../base/time.ts';
import type { Limits, Mode, OnStoreFailure } from './quota-limits.ts';

export type KeyStatus = 'active' | 'disabled' | 'revoked';

/**
 * Everything about a key that the request path needs, collected in advance. Immutable. Times are in ms since the Unix
 * epoch.
 */
export interface Credential {
  readonly keyId: string;
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
   * Maximum number of requests in flight for this quota, on one gateway: the plan's, or the key's own if that is lower.
   * Null: no limit.
   */
  readonly concurrent: number | null;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
  readonly status: KeyStatus;
  readonly expiresAt: number | null;
  /**
   * Selectors of the operations that the plan includes, and of those to which the key is restricted. Null: all
   * operations.
   */
  readonly planOperations: readonly string[] | null;
  readonly keyOperations: readonly string[] | null;
  /** Addresses and CIDR ranges that the key may be used from; null: from everywhere. */
  readonly addresses: readonly string[] | null;
  /**
   * `X-Key-Expires` for a replaced key that ends when it is no longer used: the deadline as an HTTP date (RFC 9110,
   * 5.6.7). Null for every other key.
   */
  readonly endNotice: string | null;
}

/** Why a caller with this credential is refused; null if the credential is valid. */
export function credentialFault({ status, expiresAt }: Credential, clock: Clock): 'key_revoked' | 'key_expired' | null {
  if (status !== 'active') return 'key_revoked';
  return expiresAt !== null && expiresAt <= clock() ? 'key_expired' : null;
}
