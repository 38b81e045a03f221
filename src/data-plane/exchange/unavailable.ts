import { Overloaded } from '../../base/fair-semaphore.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { RETRY_SOON } from '../../http/retry-after.ts';
import type { Refusal } from './exchange.ts';

const headers = ['Retry-After', RETRY_SOON];

const STORE_UNAVAILABLE: Refusal = { code: 'store_unavailable', headers };
const OVERLOADED: Refusal = { code: 'overloaded', headers };
export const UPSTREAM_BUSY: Refusal = { code: 'upstream_busy', headers };

/**
 * The refusal for a store or registry that is unavailable.
 *
 * @throws the error itself, if it is a different one
 */
export function refuseUnavailable(error: unknown): Refusal {
  if (error instanceof StoreUnavailable) return STORE_UNAVAILABLE;
  if (error instanceof Overloaded) return OVERLOADED;
  throw error;
}
