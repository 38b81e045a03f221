import type { Clock } from '../../admission/store.ts';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { AddressLimiter } from '../../pipeline/caller/address-limiter.ts';
import { Refused } from '../http/refused.ts';

/** Counts a failed attempt of an address. @returns the refusal to answer it with */
export type FailedAttempt = (address: string) => Promise<Refused>;

export function createFailedAttempt(addressLimiter: AddressLimiter, clock: Clock): FailedAttempt {
  return async function failedAttempt(address) {
    const { exceeded, resetAt } = await addressLimiter.charge(address);
    if (!exceeded) return unauthorized();
    return new Refused('too_many_failed_attempts', {
      message: 'Too many attempts with a bad token from this address: wait for the time given by Retry-After.',
      headers: { 'Retry-After': retryAfterSeconds(resetAt - clock()) },
    });
  };
}

export function unauthorized(message?: string, headers: Refused['headers'] = {}): Refused {
  const challenge = { 'WWW-Authenticate': 'Bearer realm="tollgate-admin"' };
  return new Refused('unauthorized', {
    ...(message === undefined ? {} : { message }),
    headers: { ...challenge, ...headers },
  });
}
