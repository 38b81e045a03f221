import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';

/** Response headers that only the gateway sends, whatever an upstream says. */
const RESERVED = new Set([
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-policy',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
]);
/** The gateway's where it sends them, else the upstream's. `Link` is not among them: both may add theirs. */
const LIFECYCLE = new Set(['deprecation', 'sunset', 'x-stability-level']);

type Head = Parameters<ServerResponse['writeHead']>;
type Pairs = (string | number | readonly string[])[];

/**
 * Puts the gateway's headers on the response at the moment its head is written, by whatever way the upstream writes it
 * (`writeHead`, `setHeader`, the first `write`): so that none can be overwritten, early or late.
 */
export function protectHeaders(exchange: Exchange): void {
  const { res } = exchange;
  const writeHead = res.writeHead.bind(res);
  res.writeHead = function writeProtectedHead(status: number, ...rest: unknown[]) {
    res.writeHead = writeHead;
    exchange.respondedAt = performance.now();
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    const given = reason === undefined ? (rest[0] ?? rest[1]) : rest[1];
    const pairs: Pairs = [...exchange.headers];
    const own = hasLifecycle(exchange.headers);
    for (const name of res.getHeaderNames()) {
      addAllowed(pairs, own, name, res.getHeader(name));
      res.removeHeader(name);
    }
    if (Array.isArray(given)) {
      for (let index = 0; index < given.length; index += 2)
        addAllowed(pairs, own, String(given[index]), given[index + 1]);
    } else if (typeof given === 'object' && given !== null) {
      for (const [name, value] of Object.entries(given)) addAllowed(pairs, own, name, value);
    }
    const head = (reason === undefined ? [status, pairs] : [status, reason, pairs]) as unknown as Head;
    return writeHead(...head);
  };
}

function addAllowed(pairs: Pairs, ownLifecycle: boolean, name: string, value: unknown): void {
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || (ownLifecycle && LIFECYCLE.has(lower)) || value === undefined) return;
  // A list of values is a line each, or Set-Cookie would not survive.
  if (Array.isArray(value)) for (const each of value) pairs.push(name, String(each));
  else pairs.push(name, value as string);
}

function hasLifecycle(headers: readonly string[]): boolean {
  for (let index = 0; index < headers.length; index += 2) {
    if (LIFECYCLE.has(headers[index]?.toLowerCase() ?? '')) return true;
  }
  return false;
}
