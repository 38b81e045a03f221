import type { ServerResponse } from 'node:http';
import { cachedByName, isOwnCookie } from '../../http/headers.ts';
import { EXPOSE_HEADERS, mergeNames } from './header-names.ts';
import { createVaryOf, instructsCaches, type VaryOf } from './vary.ts';

/** Response headers that only the gateway sends. */
const RESERVED = new Set([
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-degraded',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
  'x-key-expires',
  // Node frames the body, so only Node writes this header.
  'transfer-encoding',
]);
const EXPOSE_KEY = 'access-control-expose-headers';
/** Additional headers that only the gateway sends, if it handles CORS. */
const CORS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  EXPOSE_KEY,
  'access-control-max-age',
];

/** A valid header name (RFC 9110, 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Header names, in lower case. */
type Names = ReadonlySet<string>;
type Pairs = (string | number | readonly string[])[];

/** The rules for the response headers of upstreams, for one configuration. */
export interface HeaderRules {
  /** Names of headers that only the gateway sends, in lower case. */
  readonly reserved: Names;
  readonly varyOf: VaryOf;
  /** Adds the headers that a service exposes to the list of all headers that scripts may read. */
  readonly withExposed: (given: string) => string;
}

/** Changes nothing. In effect while a response or connection does not belong to an upstream. */
export const NO_RULES: HeaderRules = { reserved: new Set(), varyOf: (given) => given, withExposed: (given) => given };

/**
 * @param keyHeaders all headers that keys are read from
 * @param exposed the headers that scripts may read; null if the gateway does not handle CORS
 */
export function createHeaderRules(keyHeaders: readonly string[], exposed: readonly string[] | null): HeaderRules {
  return {
    reserved: new Set([...RESERVED, ...(exposed === null ? [] : CORS)]),
    varyOf: createVaryOf(keyHeaders, exposed !== null),
    // The results are cached, because services send the same few values again and again.
    withExposed: cachedByName((given) => mergeNames(exposed ?? [], validNames(given))),
  };
}

/**
 * Merges the gateway's headers with the upstream's, without the headers that the upstream may not send.
 *
 * @param own the gateway's headers, as a flat list of names and values
 * @param given the headers that the upstream passes to `writeHead`, in any form that `writeHead` accepts
 * @returns a flat list of names and values
 */
export function mergeHeaders(
  res: ServerResponse,
  own: readonly string[],
  given: unknown,
  { reserved, varyOf, withExposed }: HeaderRules,
  lifecycle: Names,
): Pairs {
  const merged: Pairs = withoutVary(own);
  const pairs = toPairs(given);
  let vary = '';
  let exposed = '';
  let cacheControl = '';
  let hasCacheInstructions = false;
  const addAllowed = (name: string, value: unknown) => {
    const key = name.toLowerCase();
    if (value === undefined || lifecycle.has(key)) return;
    if (reserved.has(key)) {
      if (key === EXPOSE_KEY) exposed = joined(exposed, value);
      return;
    }
    // Each value gets a line of its own, because a joined Set-Cookie would be invalid.
    if (Array.isArray(value)) return value.forEach((each) => addAllowed(name, String(each)));
    if (key === 'vary') return void (vary = joined(vary, value));
    if (key === 'cache-control') cacheControl = joined(cacheControl, value);
    hasCacheInstructions ||= instructsCaches(key);
    if (key !== 'set-cookie' || !isOwnCookie(value as string)) merged.push(name, value as string);
  };
  addFromSetHeader(res, pairs, addAllowed);
  for (let index = 0; index < pairs.length; index += 2) addAllowed(String(pairs[index]), pairs[index + 1]);
  vary = varyOf(vary, hasCacheInstructions ? '' : cacheControl);
  if (vary !== '') merged.push('Vary', vary);
  if (exposed !== '') replaceExposed(merged, withExposed(exposed));
  return merged;
}

/**
 * Removes the gateway's own `Vary`, which is only for responses of the gateway itself. For the response of a service,
 * `varyOf` adds the same names again.
 */
export function withoutVary(own: readonly string[]): string[] {
  const rest = own.slice();
  for (let index = 0; index < rest.length; index += 2) if (rest[index] === 'Vary') rest.splice(index, 2);
  return rest;
}

/** Removes invalid names, because a browser ignores the whole list if one name is invalid (Fetch, 2.2.2). */
function validNames(list: string): string {
  return list
    .split(',')
    .filter((name) => NAME.test(name.trim()))
    .join();
}

/**
 * Replaces the list of exposed headers, if there is one. The gateway sends none to an origin that is not allowed.
 */
function replaceExposed(merged: Pairs, names: string): void {
  for (let index = 0; index < merged.length; index += 2)
    if (merged[index] === EXPOSE_HEADERS) merged[index + 1] = names;
}

/** Appends a value to a comma-separated list. */
function joined(list: string, value: unknown): string {
  return list === '' ? String(value) : `${list}, ${String(value)}`;
}

/**
 * Removes the trailers that an upstream may not send.
 *
 * @param given the upstream's trailers, in any form that `addTrailers` accepts
 */
export function allowedTrailers(given: unknown, reserved: Names, lifecycle: Names): [string, string][] {
  // A value can also be a list, although Node's types do not say so.
  const pairs = (Array.isArray(given) ? given : Object.entries(given ?? {})) as [string, string][];
  return pairs.filter(([name]) => {
    const key = name.toLowerCase();
    // Browsers ignore cookies in trailers, but software that merges trailers into the head might not (RFC 9110, 6.5.1).
    return key !== 'set-cookie' && !reserved.has(key) && !lifecycle.has(key);
  });
}

/**
 * Removes the headers that a service may not send in an interim response: all except `Link`.
 *
 * @param given headers in any form that Node accepts
 * @returns a flat list of names and values
 */
export function interimHeaders(given: unknown): string[] {
  const pairs = toPairs(given);
  const allowed: string[] = [];
  for (let index = 0; index < pairs.length; index += 2) {
    if (String(pairs[index]).toLowerCase() !== 'link') continue;
    for (const link of [pairs[index + 1]].flat()) allowed.push('Link', String(link));
  }
  return allowed;
}

/** Converts headers, in any form that `writeHead` accepts, to a flat list of names and values. */
function toPairs(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return Array.isArray(given[0]) ? given.flat() : given;
  const pairs: unknown[] = [];
  if (typeof given === 'object' && given !== null) for (const name in given) pairs.push(name, given[name as never]);
  return pairs;
}

/**
 * Passes the headers that were set with `setHeader` to `add`, and removes them from the response. A header that is also
 * given to `writeHead` is only removed.
 */
function addFromSetHeader(
  res: ServerResponse,
  given: readonly unknown[],
  add: (name: string, value: unknown) => void,
): void {
  const names = res.getHeaderNames();
  if (names.length === 0) return;
  const replaced = new Set(given.map((each, index) => (index % 2 === 0 ? String(each).toLowerCase() : '')));
  for (const name of names) {
    if (!replaced.has(name)) add(name, res.getHeader(name));
    res.removeHeader(name);
  }
}
