import type { ServerResponse } from 'node:http';
import { isOwnCookie } from '../../http/headers.ts';
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
  // Node frames the body, so Node writes these.
  'transfer-encoding',
]);
/** Also reserved if the gateway handles CORS. */
const CORS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
];

/** Header names, in lower case. */
type Names = ReadonlySet<string>;
type Pairs = (string | number | readonly string[])[];

/** How the headers of upstreams are changed, for one configuration. */
export interface HeaderRules {
  /** Names of headers that only the gateway sends, in lower case. */
  readonly reserved: Names;
  readonly varyOf: VaryOf;
}

/** Before a response or connection belongs to an upstream. */
export const NO_RULES: HeaderRules = { reserved: new Set(), varyOf: (given) => given };

/**
 * @param keyHeaders all headers that keys are read from
 * @param cors whether the gateway handles CORS
 */
export function createHeaderRules(keyHeaders: readonly string[], cors: boolean): HeaderRules {
  return { reserved: new Set([...RESERVED, ...(cors ? CORS : [])]), varyOf: createVaryOf(keyHeaders, cors) };
}

/**
 * The headers of a response: the gateway's own, and those that the upstream may send.
 *
 * @param own the gateway's, as flat pairs
 * @param given what the upstream passes to `writeHead`, in any form it accepts
 * @returns flat pairs
 */
export function mergeHeaders(
  res: ServerResponse,
  own: readonly string[],
  given: unknown,
  { reserved, varyOf }: HeaderRules,
  lifecycle: Names,
): Pairs {
  const merged: Pairs = withoutVary(own);
  const pairs = pairsOf(given);
  let vary = '';
  let cacheControl = '';
  let hasCacheInstructions = false;
  const addAllowed = (name: string, value: unknown) => {
    const key = name.toLowerCase();
    if (value === undefined || reserved.has(key) || lifecycle.has(key)) return;
    // One line per value, because a joined Set-Cookie would be invalid.
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
  return merged;
}

/** The gateway's own `Vary` is for its own responses; `varyOf` repeats its names. */
export function withoutVary(own: readonly string[]): string[] {
  const rest = own.slice();
  for (let index = 0; index < rest.length; index += 2) if (rest[index] === 'Vary') rest.splice(index, 2);
  return rest;
}

/** Appends to the value of a header that is a list. */
function joined(list: string, value: unknown): string {
  return list === '' ? String(value) : `${list}, ${String(value)}`;
}

/**
 * An upstream's trailers without those it may not send, in any form that `addTrailers` accepts.
 *
 * @returns pairs
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
 * The headers of an interim response that a service may send, from any form that Node accepts: only `Link`. Flat pairs.
 */
export function interimHeaders(given: unknown): string[] {
  const pairs = pairsOf(given);
  const allowed: string[] = [];
  for (let index = 0; index < pairs.length; index += 2) {
    if (String(pairs[index]).toLowerCase() !== 'link') continue;
    for (const link of [pairs[index + 1]].flat()) allowed.push('Link', String(link));
  }
  return allowed;
}

/** Flat pairs from any form of headers that `writeHead` accepts. */
function pairsOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return Array.isArray(given[0]) ? given.flat() : given;
  const pairs: unknown[] = [];
  if (typeof given === 'object' && given !== null) for (const name in given) pairs.push(name, given[name as never]);
  return pairs;
}

/** Passes the headers set by `setHeader` to `add`, except those that `writeHead` replaces, and clears them. */
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
