import type { IncomingHttpHeaders } from 'node:http';
import { HOP_BY_HOP, namedByConnection } from '../../../http/headers.ts';

/** Headers of the connection to the target only. The gateway frames its own answer. */
const DROPPED: ReadonlySet<string> = new Set(HOP_BY_HOP);

/**
 * @param headers names in lower case, repeated ones as lists
 * @param trailers whether trailers may follow the body
 * @returns flat `name, value` pairs to send on
 */
export function responseHeaders(headers: IncomingHttpHeaders, status: number, trailers: boolean): string[] {
  const named = namedByConnection(headers['connection']);
  const out: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || DROPPED.has(name) || (named?.has(name) === true && name !== 'content-length')) continue;
    if (name === 'trailer' && !trailers) continue;
    // RFC 9110, 8.6: a client that trusted it would wait for a body, or read the next answer as the body.
    if (name === 'content-length' && status === 204) continue;
    if (typeof value === 'string') out.push(name, value);
    else for (const each of value) out.push(name, each);
  }
  return out;
}

/**
 * Not allowed in trailers: framing, routing, authentication, control data, and headers that say how to read the body. A
 * recipient that merged them into the head would see a different message (RFC 9110, 6.5.1).
 */
const NOT_IN_TRAILERS: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'age',
  'authorization',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'expires',
  'host',
  'location',
  'retry-after',
  'set-cookie',
  'trailer',
  'vary',
  'www-authenticate',
]);

/** @returns pairs to send on */
export function responseTrailers(trailers: IncomingHttpHeaders): [string, string][] {
  const out: [string, string][] = [];
  for (const [name, value = []] of Object.entries(trailers)) {
    if (NOT_IN_TRAILERS.has(name)) continue;
    for (const each of [value].flat()) out.push([name, each]);
  }
  return out;
}
