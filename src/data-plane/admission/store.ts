import type { Awaitable } from '../../base/awaitable.ts';
import type { BanView } from './ban-rules.ts';
import type { Decision } from './decide.ts';
import type { Limits, Mode, OnStoreFailure, WindowName } from '../../domain/quota-limits.ts';
import type { Usage } from './quota-usage.ts';

/** One request to be admitted. */
export interface AdmissionRequest {
  /** Identifies the counters. All keys of a rotation chain share them. */
  readonly quotaId: string;
  /** Units to take from every window: a positive integer. */
  readonly cost: number;
  readonly limits: Limits;
  readonly mode: Mode;
  /** Used by shared stores only. Default: `local`. */
  readonly onStoreFailure?: OnStoreFailure;
}

/** A request waiting for its decision. */
export interface PendingRequest {
  readonly request: AdmissionRequest;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores quotas and bans. All adapters run the rule in `decide.ts` atomically per `quotaId`, use the store's own clock,
 * and pass the same contract tests.
 *
 * The only error is `StoreUnavailable`, as a rejection or, from a synchronous store, thrown. Nothing was then decided,
 * and nothing will be charged later. A result is never a guess.
 */
export interface AdmissionStore {
  admit(request: AdmissionRequest): Awaitable<Decision>;
  /** Charges nothing and records nothing. */
  inspect(quotaId: string, limits: Limits): Awaitable<Usage>;
  /** Bans manually, from the next request on. Replaces an active ban. `durationMs` is a positive integer. */
  ban(quotaId: string, durationMs: number): Awaitable<BanView>;
  /** Ends the active ban and resolves to it; null if no ban was active. */
  lift(quotaId: string): Awaitable<BanView | null>;
  /** Empties one window, or all, and clears the strikes. */
  reset(quotaId: string, window?: WindowName): Awaitable<void>;
  /** Writes all pending changes, and then releases the storage. */
  close(): Promise<void>;
}

/** An open store, with functions to monitor and close it. */
export interface OpenStore {
  readonly store: AdmissionStore;
  /**
   * Why counters cannot be stored as configured, for operators; null if they can. If a shared store fails, each gateway
   * decides on its own.
   */
  readonly failure: () => string | null;
  readonly close: () => Promise<void>;
}
