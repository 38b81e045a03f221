import { redactKeys } from '../../registry/keys/redact-keys.ts';

/** Cookies are not bound to a port: browsers send those of console and portal to a gateway on the same host. */
const OWN_COOKIE = /^\s*(?:__(?:Host|Secure)-)?tollgate-(?:console|portal)(?:-oidc)?\s*(?:=|$)/i;

/**
 * The part of a `Cookie` header to forward: without the cookies of console and portal, and without keys; null if
 * nothing is left.
 */
export function forwardedCookies(value: string): string | null {
  const safe = redactKeys(value);
  if (!/tollgate-/i.test(safe)) return safe;
  const kept = safe.split(';').filter((pair) => !OWN_COOKIE.test(pair));
  return kept.length === 0 ? null : kept.join(';').trimStart();
}
