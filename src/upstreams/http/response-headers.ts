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
 * @param headers as undici has read them: names in lower case, repeated ones as lists
 * @returns flat pairs, to be sent on
 */
export function responseHeaders(headers: IncomingHttpHeaders): string[] {
  const named = namedByConnection(headers['connection']);
  // Trailers can only follow a body in chunks; Node refuses to announce any for another.
  const chunked = headers['content-length'] === undefined;
  const out: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name) || named?.has(name) || (name === 'trailer' && !chunked)) continue;
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

/** Not allowed in trailers: whoever merges them into the head would be told another message (RFC 9110, 6.5.1). */
const NOT_IN_TRAILERS = new Set([...HOP_BY_HOP, 'content-length', 'content-encoding', 'content-type', 'set-cookie']);

/** @returns pairs, to be sent on */
export function responseTrailers(trailers: IncomingHttpHeaders): [string, string][] {
  const out: [string, string][] = [];
  for (const [name, value = []] of Object.entries(trailers)) {
    if (NOT_IN_TRAILERS.has(name)) continue;
    for (const each of [value].flat()) out.push([name, each]);
  }
  return out;
}
