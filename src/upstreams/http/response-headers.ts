import type { IncomingHttpHeaders } from 'node:http';

/** What concerns the connection to the target only (RFC 9110, 7.6.1). The gateway frames its own answer. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * @param headers names in lower case, repeated ones as lists
 * @param trailers whether there may be any behind the body
 * @returns flat pairs, to be sent on
 */
export function responseHeaders(headers: IncomingHttpHeaders, status: number, trailers: boolean): string[] {
  const named = namedByConnection(headers['connection']);
  const out: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name) || named?.has(name)) continue;
    if (name === 'trailer' && !trailers) continue;
    // RFC 9110, 8.6: a client that believed it would wait for a body, or take the next answer for one.
    if (name === 'content-length' && status === 204) continue;
    if (typeof value === 'string') out.push(name, value);
    else for (const each of value) out.push(name, each);
  }
  return out;
}

function namedByConnection(connection: string | string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  const names = String(connection)
    .split(',')
    .map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== 'content-length'));
}

/**
 * Not allowed in trailers: framing, routing, authentication, control data, and what says how to read the body. Whoever
 * merges them into the head would be told another message (RFC 9110, 6.5.1).
 */
const NOT_IN_TRAILERS = new Set([
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

/** @returns pairs, to be sent on */
export function responseTrailers(trailers: IncomingHttpHeaders): [string, string][] {
  const out: [string, string][] = [];
  for (const [name, value = []] of Object.entries(trailers)) {
    if (NOT_IN_TRAILERS.has(name)) continue;
    for (const each of [value].flat()) out.push([name, each]);
  }
  return out;
}
