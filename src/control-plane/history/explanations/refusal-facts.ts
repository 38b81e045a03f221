import type { BanView, MonthView, WindowView } from '../../../data-plane/boundary-types.ts';
import { DAY_MS } from '../../../base/time.ts';
import type { CallErrorCode } from '../../../domain/error-codes.ts';

/**
 * The facts behind a refusal at the time it happened, stored as JSON. Times are ms since the Unix epoch, by the store's
 * clock if the store was called.
 */
export interface RefusalFacts {
  readonly code: CallErrorCode;
  readonly status: number;
  /** The value of `Retry-After`; null if none was sent. */
  readonly retryAfterSeconds: number | null;
  readonly method: string;
  /** Id of the operation. Null: no operation matched; `path` is then the requested path. */
  readonly operation: string | null;
  readonly path: string | null;
  /** Id of the plan. */
  readonly plan: string;
  /** Units of quota that the request required (`cost`), and units that were charged (`charged`). */
  readonly cost: number;
  readonly charged: number;
  /** From the head of the request to the end of the response. */
  readonly durationMs: number;
  /** When the reason for the refusal stops applying. Null: never, or unknown. */
  readonly freeAt: number | null;
  /** Null: the counter store was not called, or was unavailable. */
  readonly quota: QuotaFacts | null;
  /** Null: admission made no decision on the request, or admitted it. */
  readonly admission: AdmissionFacts | null;
  readonly more: MoreFacts;
}

/** The facts of a refusal, with the state of its ban at the time of reading. */
export interface ReadFacts extends RefusalFacts {
  /**
   * When the reason for the refusal stops or stopped applying. If the ban was lifted, this is earlier than the
   * `Retry-After` of the response. Null: never, or unknown.
   */
  readonly freeAt: number | null;
  /** Null: there is no ban, or the ban has not ended early. */
  readonly banEnd: BanEnd | null;
}

/** How a ban ended early. */
export interface BanEnd {
  readonly kind: 'lifted' | 'replaced';
  /** Ms since the Unix epoch. */
  readonly at: number;
  /** The name of the operator who lifted the ban. Null: another ban replaced it. */
  readonly actor: string | null;
}

export interface QuotaFacts {
  readonly minute: WindowView;
  readonly day: WindowView;
  /** Missing if there was no monthly limit. */
  readonly month?: MonthView;
  readonly ban: BanView | null;
  /** The shared store was unavailable, so these are the counts of one gateway, against its share of the limits. */
  readonly degraded: boolean;
}

/** The admission decision that refused the request. */
export interface AdmissionFacts {
  /** Time of the first refusal that this gateway noted while the same window was full. */
  readonly refusingSince: number;
  /** Number of strikes after this request. If this request started a ban, the number of strikes that led to the ban. */
  readonly strikes: number;
  /** The number of strikes at which the key is banned. */
  readonly strikesForBan: number;
  /** Strikes add up if they fall within a period of this length, in ms. */
  readonly strikesWithinMs: number;
  /** Whether this request was the strike that started a ban. */
  readonly banStarted: boolean;
}

/**
 * After a refusal, the key's later calls are reported for at least this long, even if the reason for the refusal ended
 * sooner.
 */
const MIN_STORY_MS = 600_000;
/**
 * Calls after a refusal are reported for at most this long. A ban may last longer, but its first day is enough to
 * explain it.
 */
const MAX_STORY_MS = DAY_MS;

/**
 * Returns the end of the period that is reported for a refusal, in ms since the Unix epoch. The period ends when the
 * reason for the refusal stops applying, but within the bounds above.
 */
export function explanationWindowEnd(at: number, { freeAt }: Pick<RefusalFacts, 'freeAt'>): number {
  return Math.min(Math.max(at + MIN_STORY_MS, freeAt ?? 0), at + MAX_STORY_MS);
}

/** Facts that only some codes need. */
export interface MoreFacts {
  /**
   * `operation_not_allowed`: whether the plan, the key or both exclude the operation. Missing in refusals that older
   * gateways stored.
   */
  readonly excludedBy?: readonly ('plan' | 'key')[];
  /** `insufficient_scope`: the scopes that would have been enough, separated by spaces. */
  readonly scopes?: string;
  /**
   * Set if the key itself was refused. `expiresAt`: ms since the Unix epoch; `keyStatus`: `active`, `disabled` or
   * `revoked`.
   */
  readonly expiresAt?: number | null;
  readonly keyStatus?: string;
  /** `address_not_allowed`: where the call came from. */
  readonly address?: string;
  /** `too_many_concurrent_requests`: the maximum number of concurrent requests. */
  readonly concurrent?: number;
  /** `operation_sunset`, `operation_brownout`: ms since the Unix epoch. */
  readonly sunsetAt?: number | null;
  readonly brownout?: { readonly from: number; readonly to: number };
  /** A URI template with the parameters of the operation's path. */
  readonly successor?: string | null;
  /** `method_not_allowed`: the value of `Allow`. */
  readonly allow?: string;
  /** `body_too_large`. `bodyBytes` is null if the request did not state the length of its body. */
  readonly maxBodyBytes?: number;
  readonly bodyBytes?: number | null;
}
