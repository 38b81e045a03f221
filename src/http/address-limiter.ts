import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Clock } from '../base/time.ts';
import { networkOf } from './addresses.ts';

/** How much of its limit an address has used. `resetAt` is in ms since the Unix epoch. */
export interface AddressUsage {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  readonly exceeded: boolean;
}

/**
 * Limits addresses if there is no key to limit: failed attempts, so that keys cannot be guessed and junk costs little,
 * and calls to public operations.
 */
export interface AddressLimiter {
  peek(address: string): Promise<AddressUsage>;
  /** Counts one attempt or call. */
  charge(address: string): Promise<AddressUsage>;
  /** Changes the limit. Counts stay. */
  adjust(limit: AddressLimit): void;
}

export interface AddressLimit {
  readonly limit: number;
  /** Rounded up to whole seconds, the library's unit. */
  readonly withinMs: number;
}

/** Uses rate-limiter-flexible in memory. It also counts what it refuses, which does no harm here. */
export function createAddressLimiter(settings: AddressLimit, clock: Clock): AddressLimiter {
  let { limit } = settings;
  const limiter = new RateLimiterMemory({ points: limit, duration: secondsOf(settings) });

  const usage = (result: RateLimiterRes | null): AddressUsage => ({
    limit,
    remaining: Math.max(0, result?.remainingPoints ?? limit),
    // The library reads the wall clock but uses a timer: after a clock correction, it may report a longer wait than it
    // enforces.
    resetAt: clock() + Math.min(limiter.msDuration, Math.max(0, result?.msBeforeNext ?? limiter.msDuration)),
    exceeded: (result?.consumedPoints ?? 0) > limit,
  });

  return {
    async peek(address) {
      return usage(await limiter.get(networkOf(address)));
    },
    async charge(address) {
      try {
        return usage(await limiter.consume(networkOf(address)));
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return usage(refused);
        throw refused;
      }
    },
    adjust(next) {
      ({ limit } = next);
      limiter.points = limit;
      limiter.duration = secondsOf(next);
    },
  };
}

function secondsOf({ withinMs }: AddressLimit): number {
  return Math.max(1, Math.ceil(withinMs / 1000));
}
