import type { Credential } from '../../domain/credential.ts';
import type { TokenCaller } from '../../domain/token-caller.ts';

/** Why no key was created for a caller. */
export type CallerRefusal =
  /** The issuer already has `maxCallers` callers. */
  | 'too_many'
  /** An account, a key with a secret, or another caller already has the owner `NAME:VALUE`. */
  | 'owner_taken'
  /** The caller belongs to an account that is disabled. */
  | 'account_disabled'
  /** The plan does not exist or is custom: a key on a custom plan needs limits of its own. */
  | 'no_plan'
  /** An operator deleted the caller at the same moment. */
  | 'deleted';

export interface RegisterCallerOptions {
  /** The plan of the caller, unless it belongs to an account or `planFromClaim` names a plan. */
  readonly plan: string;
  /** Maximum number of callers of this issuer. */
  readonly maxCallers: number;
  /** `tokens[].caller`: the claims that name callers. */
  readonly claims: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Creates the keys of callers that are new: the registry. Rejects with `StoreUnavailable` while it is unavailable. */
export interface CallerSource {
  /**
   * Creates the key of a caller that is new. If another gateway has created it meanwhile, its credential is returned,
   * whatever its status. The caller has at most 120 printable ASCII characters (`isCallerValue`).
   */
  registerCaller(caller: TokenCaller, options: RegisterCallerOptions): Promise<Credential | CallerRefusal>;
}
