import { cachedByName } from '../../http/headers.ts';
import { mergeHeaderNames } from './header-names.ts';

/**
 * Determines the value of `Vary` for the response of a service.
 *
 * @param serviceVary the service's own `Vary`; several lines are joined into one list; empty if there is none
 * @param cacheControl the service's `Cache-Control`, in the same form
 * @returns empty if no `Vary` is needed
 */
export type ComputeVary = (serviceVary: string, cacheControl: string) => string;

/**
 * Creates the function that determines `Vary`. The response of a service may depend on the key, because the gateway
 * tells the service who the caller is. Without a `Vary` that names the key's headers, a cache in front of the gateway
 * would use a stored response for every caller (RFC 9111, 4.1). All names are in one header line, because some caches
 * read only one line.
 *
 * @param keyHeaders all headers that keys are read from
 * @param handlesCors whether responses depend on `Origin`
 */
export function createComputeVary(keyHeaders: readonly string[], handlesCors: boolean): ComputeVary {
  const baseNames = handlesCors ? ['Origin'] : [];
  // The results are cached, because services send the same few values again and again.
  const mergeWithKeyHeaders = cachedByName((serviceVary) => mergeVaryNames([...baseNames, ...keyHeaders], serviceVary));
  const mergeWithoutKeyHeaders = cachedByName((serviceVary) => mergeVaryNames(baseNames, serviceVary));
  const isSharingForbidden = cachedByName(forbidsSharing);
  return function computeVary(serviceVary, cacheControl) {
    return isSharingForbidden(cacheControl) ? mergeWithoutKeyHeaders(serviceVary) : mergeWithKeyHeaders(serviceVary);
  };
}

function mergeVaryNames(ownNames: readonly string[], serviceVary: string): string {
  // A `*` means that a cache must not use this response for any other request (RFC 9110, 12.5.5).
  return serviceVary.split(',').some((name) => name.trim() === '*') ? '*' : mergeHeaderNames(ownNames, serviceVary);
}

/** Headers that tell particular caches what to store. These caches ignore `Cache-Control` then. */
const CACHE_INSTRUCTION_HEADERS = new Set(['x-accel-expires', 'surrogate-control']);

/**
 * Whether shared caches may obey this header instead of `Cache-Control`, such as `CDN-Cache-Control` (RFC 9213). Such a
 * cache may store a response even if `Cache-Control` says `private`.
 *
 * @param name in lower case
 */
export function instructsCaches(name: string): boolean {
  return CACHE_INSTRUCTION_HEADERS.has(name) || name.endsWith('-cache-control');
}

/** Does not match `private` with a list of fields, because that applies only to these fields (RFC 9111, 5.2.2.7). */
const FORBIDS_SHARING = /(?:^|,)\s*(?:no-store|private)\s*(?:,|$)/i;

/**
 * Whether shared caches must not store the response. Values with quotes are not parsed and count as storable, because
 * an unnecessary `Vary` does no harm.
 */
function forbidsSharing(cacheControl: string): boolean {
  return FORBIDS_SHARING.test(cacheControl) && !cacheControl.includes('"');
}
