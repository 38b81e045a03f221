/** The value of `Retry-After` for what may work again in a moment: the least there is. */
export const RETRY_SOON = '1';

/**
 * The value of `Retry-After` (RFC 9110, 10.2.3): whole seconds, at least 1.
 *
 * @param waitMs how long to wait
 */
export function retryAfterSeconds(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / 1000)));
}
