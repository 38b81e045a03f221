/**
 * A cookie of console or portal, at the beginning of a pair of a `Cookie` header or of a `Set-Cookie` value. Browsers take
 * white space off a name, and send a cookie that has no name (`=a=b`) as its value alone (RFC 6265bis, 5.6 and 5.8.3).
 */
const OWN_COOKIE = /^[\s=]*(?:__(?:Host|Secure)-)?tollgate-(?:console|portal)(?:-oidc)?\s*(?:[=;]|$)/i;

/**
 * Whether a cookie is one of console or portal, which services neither see nor set: cookies are not bound to a port, so
 * browsers use the same ones for every listener of a host.
 */
export function isOwnCookie(pair: string): boolean {
  return OWN_COOKIE.test(pair);
}
