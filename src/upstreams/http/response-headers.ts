import type { IncomingHttpHeaders } from 'node:http';

/** Headers of the connection to the target only (RFC 9110, 7.6.1). The gateway frames its own answer. */
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
 * @param trailers whether trailers may follow the body
 * @returns flat `name, value` pairs to send on
 */
export function responseHeaders(headers: IncomingHttpHeaders, status: number, trailers: boolean): string[] {
  const named = namedByConnection(headers['connection']);
  const out: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name) || named?.has(name)) continue;
    if (name === 'trailer' && !trailers) continue;
    // RFC 9110, 8.6: a client that trusted it would wait for a body, or read the next answer as the body.
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
 * Not allowed in trailers: framing, routing, authentication, control data, and headers that say how to read the body. A
 * recipient that merged them into the head would see a different message (RFC 9110, 6.5.1).
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

/** @returns pairs to send on */
export function responseTrailers(trailers: IncomingHttpHeaders): [string, string][] {
  const out: [string, string][] = [];
  for (const [name, value = []] of Object.entries(trailers)) {
    if (NOT_IN_TRAILERS.has(name)) continue;
    for (const each of [value].flat()) out.push([name, each]);
  }
  return out;
}
