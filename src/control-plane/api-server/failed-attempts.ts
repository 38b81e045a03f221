import { MINUTE_MS } from '../../base/time.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { Refused } from './refused.ts';

/** Number of attempts with a bad token, link or key that each address may make within a period. */
export const FAILED_ATTEMPTS = { limit: 10, withinMs: MINUTE_MS };

/** Counts a failed attempt of an address. @returns the refusal to respond with */
export type CountFailedAttempt = (address: string, refusal?: Refused) => Promise<Refused>;

/**
 * @param refusal creates the usual refusal of an attempt within the limit
 * @param message the message of the refusal of an attempt beyond the limit
 */
export function createCountFailedAttempt(
  addressLimiter: AddressLimiter,
  refusal: () => Refused,
  message: string,
): CountFailedAttempt {
  return async function countFailedAttempt(address, usualRefusal = refusal()) {
    const { exceeded, waitMs } = await addressLimiter.charge(address);
    if (!exceeded) return usualRefusal;
    const headers = { 'Retry-After': formatRetryAfter(waitMs) };
    return new Refused('too_many_failed_attempts', { message, headers });
  };
}
