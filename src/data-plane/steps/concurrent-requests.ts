import { RETRY_SOON } from '../../http/retry-after.ts';
import type { RequestsInFlight } from '../admission/requests-in-flight.ts';
import type { Refusal } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';

const TOO_MANY_CONCURRENT_REQUESTS: Refusal = {
  code: 'too_many_concurrent_requests',
  headers: ['Retry-After', RETRY_SOON],
};

/**
 * Limits how many requests of a quota are in flight at the same time. A request counts until its response has ended; the
 * `observe` step then stops counting it.
 */
export function createConcurrentRequestsStep(inFlight: RequestsInFlight): ServeStep {
  return function concurrentRequests(exchange, credential) {
    // If the client disconnected while its key was looked up, `observe` has already run, and would never stop counting
    // this request.
    if (credential === null || exchange.isReleased) return undefined;
    const { quotaId, concurrent, mode } = credential;
    exchange.inFlight = inFlight.begin(quotaId, concurrent);
    if (exchange.inFlight !== null) return undefined;
    exchange.isAboveConcurrent = true;
    if (mode === 'enforce') return TOO_MANY_CONCURRENT_REQUESTS;
    exchange.inFlight = inFlight.begin(quotaId, null);
    return undefined;
  };
}
