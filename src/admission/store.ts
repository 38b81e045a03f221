import type { Awaitable } from '../base/awaitable.ts';
import type { BanView, Decision, Limits, Millis, Mode, Usage } from './decide.ts';

/** What a gateway does for the keys of a plan while the shared store does not answer. */
export type OnStoreFailure = 'local' | 'open' | 'closed';

/** One request that asks to be admitted. */
export interface AdmissionRequest {
  /** Whose counters: shared by all keys of one rotation chain. */
  readonly quotaId: string;
  /** Units taken from both windows: a positive integer. */
  readonly cost: number;
  readonly limits: Limits;
  readonly mode: Mode;
  /** Of use to shared stores only. Default: `local`. */
  readonly onStoreFailure?: OnStoreFailure;
}

/**
 * Where quotas and bans are kept. All adapters run the rule of `decide.ts`, atomically per `quotaId`, by the store's
 * own clock, and pass one contract suite.
 *
 * A rejection (a throw, where the store answers at once) is always a `StoreUnavailable`: nothing was decided, and
 * nothing will be charged later. An answer is never a guess.
 */
export interface AdmissionStore {
  admit(request: AdmissionRequest): Awaitable<Decision>;
  /** Charges nothing and notes nothing. */
  inspect(quotaId: string, limits: Limits): Awaitable<Usage>;
  /** Bans by hand from the next request on; replaces a ban that runs. `durationMs` is a positive integer. */
  ban(quotaId: string, durationMs: number): Awaitable<BanView>;
  /** Resolves to the ban that was ended; null where none ran. */
  lift(quotaId: string): Awaitable<BanView | null>;
  /** Empties both windows and clears the strikes. */
  reset(quotaId: string): Awaitable<void>;
  /** Keeps what must be kept, then lets go of the storage. */
  close(): Promise<void>;
}

/** Milliseconds since the Unix epoch. Tests inject their own. */
export type Clock = () => Millis;
