import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../admission/store.ts';
import { partyOf } from './client-address.ts';

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
 * @param within ms; the library counts in whole seconds
 */
export function createAddressLimiter(settings: { limit: number; within: number }, clock: Clock): AddressLimiter {
  const { limit } = settings;
  const seconds = Math.max(1, Math.ceil(settings.within / 1000));
  const withinMs = seconds * 1000;
  const limiter = new RateLimiterMemory({ points: limit, duration: seconds });

  const usage = (result: RateLimiterRes | null): AddressUsage => ({
    limit,
    remaining: Math.max(0, result?.remainingPoints ?? limit),
    // The library reads the wall clock but frees by a timer: after a clock correction it may report a longer wait than
    // it enforces.
    resetAt: clock() + Math.min(withinMs, Math.max(0, result?.msBeforeNext ?? withinMs)),
    exceeded: (result?.consumedPoints ?? 0) > limit,
  });

  return {
    async peek(address) {
      return usage(await limiter.get(partyOf(address)));
    },
    async charge(address) {
      try {
        return usage(await limiter.consume(partyOf(address)));
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return usage(refused);
        throw refused;
      }
    },
  };
}
