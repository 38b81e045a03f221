import type { ServerResponse } from 'node:http';
import { cachedByName, isGatewayCookie } from '../../http/headers.ts';
import { EXPOSE_HEADERS, mergeHeaderNames } from './header-names.ts';
import { createComputeVary, instructsCaches, type ComputeVary } from './vary.ts';

/** Response headers that only the gateway sends. */
const RESERVED_HEADERS = new Set([
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
const LOWER_CASE_EXPOSE_HEADERS = 'access-control-expose-headers';
/** Additional headers that only the gateway sends, if it handles CORS. */
const CORS_HEADERS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  LOWER_CASE_EXPOSE_HEADERS,
  'access-control-max-age',
];

/** A valid header name (RFC 9110, 5.6.2). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Header names, in lower case. */
type HeaderNames = ReadonlySet<string>;
type FlatHeaders = (string | number | readonly string[])[];

/** The rules for the response headers of upstreams, for one configuration. */
export interface HeaderRules {
  /** Names of headers that only the gateway sends, in lower case. */
  readonly reserved: HeaderNames;
  readonly computeVary: ComputeVary;
  /** Adds the headers that a service exposes to the list of all headers that scripts may read. */
  readonly mergeExposed: (exposedNames: string) => string;
}

/** Changes nothing. In effect while a response or connection does not belong to an upstream. */
export const NO_RULES: HeaderRules = {
  reserved: new Set(),
  computeVary: (given) => given,
  mergeExposed: (given) => given,
};

/**
 * @param keyHeaders all headers that keys are read from
 * @param exposed the headers that scripts may read; null if the gateway does not handle CORS
 */
export function createHeaderRules(keyHeaders: readonly string[], exposed: readonly string[] | null): HeaderRules {
  return {
    reserved: new Set([...RESERVED_HEADERS, ...(exposed === null ? [] : CORS_HEADERS)]),
    computeVary: createComputeVary(keyHeaders, exposed !== null),
    // The results are cached, because services send the same few values again and again.
    mergeExposed: cachedByName((exposedNames) => mergeHeaderNames(exposed ?? [], removeInvalidNames(exposedNames))),
  };
}

/**
 * Merges the gateway's headers with the upstream's, without the headers that the upstream may not send.
 *
 * @param ownHeaders the gateway's headers, as a flat list of names and values
 * @param upstreamHeaders the headers that the upstream passes to `writeHead`, in any form that `writeHead` accepts
 * @returns a flat list of names and values
 */
export function mergeHeaders(
  res: ServerResponse,
  ownHeaders: readonly string[],
  upstreamHeaders: unknown,
  { reserved, computeVary, mergeExposed }: HeaderRules,
  lifecycleNames: HeaderNames,
): FlatHeaders {
  const merged: FlatHeaders = withoutVary(ownHeaders);
  const pairs = toFlatHeaders(upstreamHeaders);
  let vary = '';
  let exposed = '';
  let cacheControl = '';
  let hasCacheInstructions = false;
  const addAllowed = (name: string, value: unknown) => {
    const key = name.toLowerCase();
    if (value === undefined || lifecycleNames.has(key)) return;
    if (reserved.has(key)) {
      if (key === LOWER_CASE_EXPOSE_HEADERS) exposed = appendToList(exposed, value);
      return;
    }
    // Each value gets a line of its own, because a joined Set-Cookie would be invalid.
    if (Array.isArray(value)) return value.forEach((each) => addAllowed(name, String(each)));
    if (key === 'vary') return void (vary = appendToList(vary, value));
    if (key === 'cache-control') cacheControl = appendToList(cacheControl, value);
    hasCacheInstructions ||= instructsCaches(key);
    if (key !== 'set-cookie' || !isGatewayCookie(value as string)) merged.push(name, value as string);
  };
  takeSetHeaders(res, pairs, addAllowed);
  for (let index = 0; index < pairs.length; index += 2) addAllowed(String(pairs[index]), pairs[index + 1]);
  vary = computeVary(vary, hasCacheInstructions ? '' : cacheControl);
  if (vary !== '') merged.push('Vary', vary);
  if (exposed !== '') replaceExposedHeaders(merged, mergeExposed(exposed));
  return merged;
}

/**
 * Removes the gateway's own `Vary`, which is only for responses of the gateway itself. For the response of a service,
 * `computeVary` adds the same names again.
 */
export function withoutVary(ownHeaders: readonly string[]): string[] {
  const remaining = ownHeaders.slice();
  for (let index = 0; index < remaining.length; index += 2) if (remaining[index] === 'Vary') remaining.splice(index, 2);
  return remaining;
}

/** Removes invalid names, because a browser ignores the whole list if one name is invalid (Fetch, 2.2.2). */
function removeInvalidNames(list: string): string {
  return list
    .split(',')
    .filter((name) => HEADER_NAME.test(name.trim()))
    .join();
}

/**
 * Replaces the list of exposed headers, if there is one. The gateway sends none to an origin that is not allowed.
 */
function replaceExposedHeaders(merged: FlatHeaders, names: string): void {
  for (let index = 0; index < merged.length; index += 2)
    if (merged[index] === EXPOSE_HEADERS) merged[index + 1] = names;
}

/** Appends a value to a comma-separated list. */
function appendToList(list: string, value: unknown): string {
  return list === '' ? String(value) : `${list}, ${String(value)}`;
}

/**
 * Removes the trailers that an upstream may not send.
 *
 * @param upstreamHeaders the upstream's trailers, in any form that `addTrailers` accepts
 */
export function filterTrailers(
  upstreamHeaders: unknown,
  reserved: HeaderNames,
  lifecycleNames: HeaderNames,
): [string, string][] {
  // A value can also be a list, although Node's types do not say so.
  const pairs = (Array.isArray(upstreamHeaders) ? upstreamHeaders : Object.entries(upstreamHeaders ?? {})) as [
    string,
    string,
  ][];
  return pairs.filter(([name]) => {
    const key = name.toLowerCase();
    // Browsers ignore cookies in trailers, but software that merges trailers into the head might not (RFC 9110, 6.5.1).
    return key !== 'set-cookie' && !reserved.has(key) && !lifecycleNames.has(key);
  });
}

/**
 * Removes the headers that a service may not send in an interim response: all except `Link`.
 *
 * @param headers headers in any form that Node accepts
 * @returns a flat list of names and values
 */
export function filterInterimHeaders(headers: unknown): string[] {
  const pairs = toFlatHeaders(headers);
  const allowed: string[] = [];
  for (let index = 0; index < pairs.length; index += 2) {
    if (String(pairs[index]).toLowerCase() !== 'link') continue;
    for (const link of [pairs[index + 1]].flat()) allowed.push('Link', String(link));
  }
  return allowed;
}

/** Converts headers, in any form that `writeHead` accepts, to a flat list of names and values. */
function toFlatHeaders(headers: unknown): readonly unknown[] {
  if (Array.isArray(headers)) return Array.isArray(headers[0]) ? headers.flat() : headers;
  const pairs: unknown[] = [];
  if (typeof headers === 'object' && headers !== null)
    for (const name in headers) pairs.push(name, headers[name as never]);
  return pairs;
}

/**
 * Passes the headers that were set with `setHeader` to `add`, and removes them from the response. A header that is also
 * given to `writeHead` is only removed.
 */
function takeSetHeaders(
  res: ServerResponse,
  upstreamHeaders: readonly unknown[],
  add: (name: string, value: unknown) => void,
): void {
  const names = res.getHeaderNames();
  if (names.length === 0) return;
  const replacedNames = new Set(
    upstreamHeaders.map((each, index) => (index % 2 === 0 ? String(each).toLowerCase() : '')),
  );
  for (const name of names) {
    if (!replacedNames.has(name)) add(name, res.getHeader(name));
    res.removeHeader(name);
  }
}
