/** The prefix of the gateway's own paths. Upstreams cannot have paths below it. */
export const GATEWAY_PREFIX = '/_gateway/';
/** The path where programs find out which APIs a host serves (RFC 9727). */
export const API_CATALOG_PATH = '/.well-known/api-catalog';
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
/** The path where clients learn which issuers' access tokens the API accepts (RFC 9728, section 3). */
export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';
/** A `POST` to this path revokes the key that it is sent with. */
export const REVOKE_PATH = '/_gateway/key/revoke';

/** Matches nearly all paths: letters and digits between single slashes. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_~-]+)+$/;
/** Matches paths of allowed characters: `pchar` (RFC 3986, 3.3) and slashes. */
const ALLOWED_CHARACTERS = /^[/A-Za-z0-9._~!$&'()*+,;=:@%-]*$/;
/** Matches a segment of one or two dots, plain or percent-encoded, with or without path parameters (`..;a`). */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:$|[/;]|%3b)/i;

/** A quick test for paths that `findPathFault` accepts. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path);
}

const ENCODED_SLASH = /%2f/gi;

export const HAS_ENCODED_SLASH = 'has an encoded slash or backslash';

/**
 * Finds the reason why two parsers might read a path differently.
 *
 * @param slashes whether to refuse encoded slashes; they may pass if the service is known to handle them correctly
 * @returns the reason, phrased to follow “The path”; null if the path is unambiguous
 */
export function findPathFault(path: string, slashes: 'refuse' | 'pass' = 'refuse'): string | null {
  if (!path.startsWith('/'))
    return 'does not start with a slash: send it without scheme and host, or with the same as in the Host header';
  if (path.includes('//')) return 'has an empty segment';
  if (!ALLOWED_CHARACTERS.test(path)) return 'has a character that must be percent-encoded';
  if (DOT_SEGMENT.test(path)) return 'has a dot segment';
  if (!path.includes('%')) return null;
  if (slashes === 'refuse') return findEscapeFault(path);
  const decoded = path.replaceAll(ENCODED_SLASH, '/');
  // There must be no dot segments even after a service has decoded the slashes.
  return DOT_SEGMENT.test(decoded) ? 'has a dot segment' : findEscapeFault(decoded);
}

function findEscapeFault(path: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) return 'has a % that is not part of a percent-encoding';
  if (/%(?:2f|5c)/i.test(path)) return HAS_ENCODED_SLASH;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return 'has percent-encoded bytes that are not UTF-8';
  }
  return /\p{Cc}/u.test(decoded) ? 'has an encoded control character' : null;
}
