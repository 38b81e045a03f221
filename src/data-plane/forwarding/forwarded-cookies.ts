import { isOwnCookie } from '../../http/headers.ts';
import { redactKeys } from '../../http/redact-keys.ts';

/**
 * The part of a `Cookie` header to forward: without the cookies of console and portal, and without keys; null if
 * nothing is left.
 */
export function forwardedCookies(value: string): string | null {
  const safe = redactKeys(value);
  if (!/tollgate-/i.test(safe)) return safe;
  const kept = safe.split(';').filter((pair) => !isOwnCookie(pair));
  return kept.length === 0 ? null : kept.join(';').trimStart();
}
