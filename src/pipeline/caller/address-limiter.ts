import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../admission/store.ts';
import { networkOf } from './client-address.ts';

/** How much of its limit an address has used. `resetAt` is in ms since the Unix epoch. */
export interface AddressUsage {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  readonly exceeded: boolean;
}

/**
 * Limits addresses where there is no key to limit: failed attempts, so that keys cannot be guessed and junk costs
 * little, and calls to operations that need no key.
 */
export interface AddressLimiter {
  peek(address: string): Promise<AddressUsage>;
  /** Counts one attempt or call. */
  charge(address: string): Promise<AddressUsage>;
}

/**
 * Uses rate-limiter-flexible in memory. It also counts what it refuses, which does no harm here: nobody was promised
 * this limit.
 *
 * @param settings `withinMs` is rounded up to whole seconds, in which the library counts
 */
export function createAddressLimiter(settings: { limit: number; withinMs: number }, clock: Clock): AddressLimiter {
  const { limit } = settings;
  const windowSeconds = Math.max(1, Math.ceil(settings.withinMs / 1000));
  const windowMs = windowSeconds * 1000;
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });

  const usage = (result: RateLimiterRes | null): AddressUsage => ({
    limit,
    remaining: Math.max(0, result?.remainingPoints ?? limit),
    // The library reads the wall clock but frees by a timer: after a clock correction it may report a longer wait than
    // it enforces.
    resetAt: clock() + Math.min(windowMs, Math.max(0, result?.msBeforeNext ?? windowMs)),
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
  };
}
