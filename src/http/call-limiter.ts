import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Clock } from '../base/time.ts';
import { toNetwork } from './addresses.ts';

interface CallLimit {
  readonly limit: number;
  /** The library counts in seconds, so this is rounded up to whole seconds. */
  readonly withinMs: number;
}

/** How much of its limit a caller has used. */
export interface CallUsage {
  readonly limit: number;
  readonly remaining: number;
  /** Ms until the count starts again. */
  readonly waitMs: number;
  /** When the count starts again, in ms since the Unix epoch. */
  readonly resetAt: number;
  readonly exceeded: boolean;
}

/**
 * Limits calls that use no quota: failed attempts, calls without a key, and calls of the gateway's own APIs. Each process
 * counts separately. Calls above the limit are counted too, but that does no harm.
 */
export class CallLimiter {
  #limit: number;
  readonly #limiter: RateLimiterMemory;
  readonly #clock: Clock;

  /** @param clock the clock for `resetAt` */
  constructor(limit: CallLimit, clock: Clock = Date.now) {
    this.#limit = limit.limit;
    this.#limiter = new RateLimiterMemory({ points: limit.limit, duration: toWholeSeconds(limit) });
    this.#clock = clock;
  }

  async peek(caller: string): Promise<CallUsage> {
    return this.#usage(await this.#limiter.get(caller));
  }

  /** Counts one call. */
  async charge(caller: string): Promise<CallUsage> {
    try {
      return this.#usage(await this.#limiter.consume(caller));
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return this.#usage(thrown);
      throw thrown;
    }
  }

  /** Takes back one counted call that was below the limit. */
  async refund(caller: string): Promise<void> {
    await this.#limiter.reward(caller);
  }

  /** Changes the limit, but keeps the counts. */
  adjust(limit: CallLimit): void {
    this.#limit = limit.limit;
    this.#limiter.points = limit.limit;
    this.#limiter.duration = toWholeSeconds(limit);
  }

  #usage(result: RateLimiterRes | null): CallUsage {
    const { msDuration } = this.#limiter;
    // The library reads the wall clock but uses a timer. After a clock correction, it may report a longer wait than it
    // enforces.
    const waitMs = Math.min(msDuration, Math.max(0, result?.msBeforeNext ?? msDuration));
    return {
      limit: this.#limit,
      remaining: Math.max(0, result?.remainingPoints ?? this.#limit),
      waitMs,
      resetAt: this.#clock() + waitMs,
      exceeded: (result?.consumedPoints ?? 0) > this.#limit,
    };
  }
}

/** Limits the calls of a client address. All addresses of the same network (`toNetwork`) share the limit. */
export class AddressLimiter extends CallLimiter {
  override peek(address: string): Promise<CallUsage> {
    return super.peek(toNetwork(address));
  }

  override charge(address: string): Promise<CallUsage> {
    return super.charge(toNetwork(address));
  }
}

function toWholeSeconds({ withinMs }: CallLimit): number {
  return Math.max(1, Math.ceil(withinMs / 1000));
}
