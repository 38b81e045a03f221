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

/** The gateway's where it answers for CORS. */
const CORS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
];

/** Whether only the gateway sends a header, by its name in lower case. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

type Head = Parameters<ServerResponse['writeHead']>;
type Pairs = (string | number | readonly string[])[];

/**
 * Puts the gateway's headers on a response at the moment its head is written, by whatever way the upstream writes it
 * (`writeHead`, `setHeader`, the first `write`): so that none can be overwritten, early or late.
 *
 * @param cors whether the gateway answers for CORS
 */
export function createProtectHeaders(cors: boolean): (exchange: Exchange) => void {
  const reserved = new Set([...RESERVED, ...(cors ? CORS : [])]);
  const reservedWithLifecycle = new Set([...reserved, ...LIFECYCLE]);

  return function protectHeaders(exchange) {
    const { res, headers } = exchange;
    const writeHead = res.writeHead.bind(res);
    res.writeHead = function writeProtectedHead(status: number, ...rest: unknown[]) {
      res.writeHead = writeHead;
      exchange.respondedAt = performance.now();
      const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
      const given = pairsOf(reason === undefined ? (rest[0] ?? rest[1]) : rest[1]);
      const dropped = hasLifecycle(headers) ? reservedWithLifecycle : reserved;
      const pairs: Pairs = [...headers];
      addSetBefore(pairs, dropped, res, given);
      for (let index = 0; index < given.length; index += 2)
        addAllowed(pairs, dropped, String(given[index]), given[index + 1]);
      const head = (reason === undefined ? [status, pairs] : [status, reason, pairs]) as unknown as Head;
      return writeHead(...head);
    };
  };
}

/** Flat pairs of any form in which `writeHead` takes headers. */
function pairsOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return Array.isArray(given[0]) ? given.flat() : given;
  return typeof given === 'object' && given !== null
    ? Object.entries(given).flatMap(([name, value]) => [name, value])
    : [];
}

/** Those of `setHeader`: what is given to `writeHead` goes before them. */
function addSetBefore(
  pairs: Pairs,
  dropped: ReadonlySet<string>,
  res: ServerResponse,
  given: readonly unknown[],
): void {
  const names = res.getHeaderNames();
  if (names.length === 0) return;
  const replaced = new Set(given.map((each, index) => (index % 2 === 0 ? String(each).toLowerCase() : '')));
  for (const name of names) {
    if (!replaced.has(name)) addAllowed(pairs, dropped, name, res.getHeader(name));
    res.removeHeader(name);
  }
}

function addAllowed(pairs: Pairs, dropped: ReadonlySet<string>, name: string, value: unknown): void {
  if (value === undefined || dropped.has(name.toLowerCase())) return;
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
