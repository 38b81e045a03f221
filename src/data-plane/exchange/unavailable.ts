import { Overloaded } from '../../base/fair-semaphore.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { RETRY_SOON } from '../../http/retry-after.ts';
import type { Refusal } from './exchange.ts';

const retryHeaders = ['Retry-After', RETRY_SOON];

const STORE_UNAVAILABLE: Refusal = { code: 'store_unavailable', headers: retryHeaders };
const OVERLOADED: Refusal = { code: 'overloaded', headers: retryHeaders };
export const UPSTREAM_BUSY: Refusal = { code: 'upstream_busy', headers: retryHeaders };

/**
 * Converts the error of an unavailable store or registry to a refusal.
 *
 * @throws `error` itself, if it is of any other type
 */
export function toUnavailableRefusal(error: unknown): Refusal {
  if (error instanceof StoreUnavailable) return STORE_UNAVAILABLE;
  if (error instanceof Overloaded) return OVERLOADED;
  throw error;
}
