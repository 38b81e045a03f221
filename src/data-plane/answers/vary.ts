import { cachedByName } from '../../http/headers.ts';
import { mergeNames } from './header-names.ts';

/**
 * The value of `Vary` for a response of a service; empty: none.
 *
 * @param given the service's own `Vary`, several joined as a list; empty: none
 * @param cacheControl its `Cache-Control`, likewise
 */
export type VaryOf = (given: string, cacheControl: string) => string;

/**
 * What a service responds may depend on the key: it learns the caller from the gateway, and a call without a key may get
 * something else. A cache in front knows that only from `Vary`: a stored response without it matches every request
 * (RFC 9111, 4.1). One header line for all names, because some caches read only one.
 *
 * @param keyHeaders all headers that keys are read from
 * @param cors whether responses depend on `Origin`
 */
export function createVaryOf(keyHeaders: readonly string[], cors: boolean): VaryOf {
  const always = cors ? ['Origin'] : [];
  // Services send the same few values over and over.
  const withKeyHeaders = cachedByName((given) => mergeVary([...always, ...keyHeaders], given));
  const withoutKeyHeaders = cachedByName((given) => mergeVary(always, given));
  const isNotShared = cachedByName(forbidsSharing);
  return function varyOf(given, cacheControl) {
    return isNotShared(cacheControl) ? withoutKeyHeaders(given) : withKeyHeaders(given);
  };
}

function mergeVary(own: readonly string[], given: string): string {
  // It means that no other request gets this response (RFC 9110, 12.5.5).
  return given.split(',').some((name) => name.trim() === '*') ? '*' : mergeNames(own, given);
}

/** Headers that tell caches in front of the gateway what to store, whatever `Cache-Control` says to browsers. */
const FOR_CACHES = new Set(['x-accel-expires', 'surrogate-control']);

/**
 * Whether a shared cache may follow this header instead of `Cache-Control`, such as `CDN-Cache-Control` (RFC 9213). A
 * `private` in `Cache-Control` then does not keep the response out of that cache.
 *
 * @param name in lower case
 */
export function instructsCaches(name: string): boolean {
  return FOR_CACHES.has(name) || name.endsWith('-cache-control');
}

/** With a list of fields, `private` is only about these fields (RFC 9111, 5.2.2.7). */
const NOT_SHARED = /(?:^|,)\s*(?:no-store|private)\s*(?:,|$)/i;

/** Whether no shared cache may store the response. False for values with quotes, where `Vary` does no harm. */
function forbidsSharing(cacheControl: string): boolean {
  return NOT_SHARED.test(cacheControl) && !cacheControl.includes('"');
}
