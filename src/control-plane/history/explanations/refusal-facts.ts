import type { BanView, MonthView, WindowView } from '../../../data-plane/boundary-types.ts';
import { DAY_MS } from '../../../base/time.ts';
import type { CallErrorCode } from '../../../domain/error-codes.ts';

/**
 * The facts behind a refusal, at that moment. Stored as JSON. Times are ms since the Unix epoch, by the store's clock
 * if the store was called.
 */
export interface RefusalFacts {
  readonly code: CallErrorCode;
  readonly status: number;
  /** The value of `Retry-After`; null if none was sent. */
  readonly retryAfterSeconds: number | null;
  readonly method: string;
  /** Id of the operation; null: no operation matched, and `path` has the requested one. */
  readonly operation: string | null;
  readonly path: string | null;
  /** Id of the plan. */
  readonly plan: string;
  /** Units of quota that the request required, and that were charged. */
  readonly cost: number;
  readonly charged: number;
  /** From the head of the request to the end of the response. */
  readonly durationMs: number;
  /** When the reason will have passed; null: never, or unknown. */
  readonly freeAt: number | null;
  /** Null: the store of counters was not called, or was unavailable. */
  readonly quota: QuotaFacts | null;
  /** Null: admission did not decide on the request, or let it through. */
  readonly admission: AdmissionFacts | null;
  readonly more: MoreFacts;
}

/** The facts of a refusal, with the state of its ban when it is read. */
export interface ReadFacts extends RefusalFacts {
  /** When the reason passed, or will pass: earlier than it was said if the ban was lifted. Null: never, or unknown. */
  readonly freeAt: number | null;
  /** Null: the ban runs or ran its course, or there is none. */
  readonly banEnd: BanEnd | null;
}

/** How a ban ended before its time. */
export interface BanEnd {
  readonly kind: 'lifted' | 'replaced';
  /** Ms since the Unix epoch. */
  readonly at: number;
  /** The name of the operator; null: another ban replaced it. */
  readonly actor: string | null;
}

export interface QuotaFacts {
  readonly minute: WindowView;
  readonly day: WindowView;
  /** Missing if the limits had no month. */
  readonly month?: MonthView;
  readonly ban: BanView | null;
  /** The shared store was unavailable: this is what one gateway counted, against its share of the limits. */
  readonly degraded: boolean;
}

/** The decision of admission that refused the request. */
export interface AdmissionFacts {
  /** First refusal that this gateway knows of while the same window was full. */
  readonly refusingSince: number;
  /** Strikes that counted after this request; those that led to the ban, if this request started it. */
  readonly strikes: number;
  /** The number of strikes at which the key is banned. */
  readonly strikesForBan: number;
  /** Strikes add up while they fall within this time, in ms. */
  readonly strikesWithinMs: number;
  /** This request was the strike that started the ban. */
  readonly banStarted: boolean;
}

/** Calls after a refusal are reported for at least this long, even if its reason had passed. */
const MIN_STORY_MS = 600_000;
/** A ban may last longer; what the client did on its first day says enough. */
const MAX_STORY_MS = DAY_MS;

/** How far the story of a refusal goes: until its reason has passed, in ms since the Unix epoch. */
export function explanationWindowEnd(at: number, { freeAt }: Pick<RefusalFacts, 'freeAt'>): number {
  return Math.min(Math.max(at + MIN_STORY_MS, freeAt ?? 0), at + MAX_STORY_MS);
}

/** Facts that only some codes need. */
export interface MoreFacts {
  /** `operation_not_allowed`: what does not include the operation. Refusals of older gateways do not say it. */
  readonly excludedBy?: readonly ('plan' | 'key')[];
  /** Where the key itself was refused: ms since the Unix epoch; `active`, `disabled` or `revoked`. */
  readonly expiresAt?: number | null;
  readonly keyStatus?: string;
  /** `address_not_allowed`: where the call came from. */
  readonly address?: string;
  /** `too_many_concurrent_requests`: how many were allowed at once. */
  readonly concurrent?: number;
  /** `operation_sunset`, `operation_brownout`: ms since the Unix epoch. */
  readonly sunsetAt?: number | null;
  readonly brownout?: { readonly from: number; readonly to: number };
  /** A URI template with the parameters of the operation's path. */
  readonly successor?: string | null;
  /** `method_not_allowed`: the value of `Allow`. */
  readonly allow?: string;
  /** `body_too_large`; `bodyBytes` is null if the request did not say its length. */
  readonly maxBodyBytes?: number;
  readonly bodyBytes?: number | null;
}
