import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../admission/store.ts';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { AddressLimiter } from '../../pipeline/caller/address-limiter.ts';
import { Refused } from '../http/refused.ts';
import type { Handler } from '../http/respond.ts';
import type { AdminToken } from './admin-token.ts';

const BEARER = /^Bearer +(\S+)$/i;
const READ_METHODS = new Set(['GET', 'HEAD']);

/**
 * Lets only requests with a valid token through. It runs before routing, so that no spelling of a path gets around it
 * and callers without a token cannot tell one path from another. The address limiter never stops a valid token; a
 * request without a token is not a guess, and is not counted.
 */
export function createAuthenticate(
  tokens: readonly AdminToken[],
  addressLimiter: AddressLimiter,
  clock: Clock,
): Handler {
  const known = tokens.map((token) => ({ token, digest: digestOf(token.secret) }));

  return async function authenticate(req, res, next) {
    const presented = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (req.headers.authorization === undefined) throw unauthorized();
    const token = presented === undefined ? undefined : find(presented);
    if (token === undefined) throw await failedAttempt(req.socket.remoteAddress ?? '');
    res.locals.token = token;
    if (token.role === 'viewer' && !READ_METHODS.has(req.method)) throw new Refused('forbidden');
    next();
  };

  /** Compares with every token, so that the time it takes reveals neither which one matched nor how much of it. */
  function find(presented: string): AdminToken | undefined {
    const digest = digestOf(presented);
    let found: AdminToken | undefined;
    for (const one of known) if (timingSafeEqual(digest, one.digest)) found = one.token;
    return found;
  }

  async function failedAttempt(address: string): Promise<Refused> {
    const { exceeded, resetAt } = await addressLimiter.charge(address);
    if (!exceeded) return unauthorized();
    return new Refused('too_many_failed_attempts', {
      message: 'Too many attempts with a bad token from this address: wait for the time given by Retry-After.',
      headers: { 'Retry-After': retryAfterSeconds(resetAt - clock()) },
    });
  }
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function unauthorized(): Refused {
  return new Refused('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer realm="tollgate-admin"' } });
}
