import { cachedByName } from '../../http/headers.ts';
import { mergeNames } from './header-names.ts';

/**
 * The value of `Vary` for a response of a service; empty: none.
 *
 * @param given the service's own `Vary`; several lines are joined into one list; empty: none
 * @param cacheControl the service's `Cache-Control`, in the same form
 */
export type VaryOf = (given: string, cacheControl: string) => string;

/**
 * Creates the function that determines `Vary`. The response of a service may depend on the key: the gateway tells the
 * service who the caller is, and a call without a key may get a different response. A cache in front of the gateway
 * learns that only from `Vary`, because a stored response without `Vary` matches every request (RFC 9111, 4.1). All
 * names are in one header line, because some caches read only one line.
 *
 * @param keyHeaders all headers that keys are read from
 * @param cors whether responses depend on `Origin`
 */
export function createVaryOf(keyHeaders: readonly string[], cors: boolean): VaryOf {
  const always = cors ? ['Origin'] : [];
  // The results are cached, because services send the same few values again and again.
  const withKeyHeaders = cachedByName((given) => mergeVary([...always, ...keyHeaders], given));
  const withoutKeyHeaders = cachedByName((given) => mergeVary(always, given));
  const isNotShared = cachedByName(forbidsSharing);
  return function varyOf(given, cacheControl) {
    return isNotShared(cacheControl) ? withoutKeyHeaders(given) : withKeyHeaders(given);
  };
}

function mergeVary(own: readonly string[], given: string): string {
  // A `*` means that no other request gets this response (RFC 9110, 12.5.5).
  return given.split(',').some((name) => name.trim() === '*') ? '*' : mergeNames(own, given);
}

/** Headers that tell caches in front of the gateway what to store. They take precedence over `Cache-Control`. */
const FOR_CACHES = new Set(['x-accel-expires', 'surrogate-control']);

/**
 * Whether a header, such as `CDN-Cache-Control` (RFC 9213), may instruct shared caches instead of `Cache-Control`. A
 * cache that follows it may store a response even if `Cache-Control` says `private`.
 *
 * @param name in lower case
 */
export function instructsCaches(name: string): boolean {
  return FOR_CACHES.has(name) || name.endsWith('-cache-control');
}

/** A `private` with a list of fields does not match, because it applies only to these fields (RFC 9111, 5.2.2.7). */
const NOT_SHARED = /(?:^|,)\s*(?:no-store|private)\s*(?:,|$)/i;

/**
 * Whether shared caches must not store the response. False for every value with quotes, because an unnecessary `Vary`
 * does no harm.
 */
function forbidsSharing(cacheControl: string): boolean {
  return NOT_SHARED.test(cacheControl) && !cacheControl.includes('"');
}
