import { normalizeEscapes } from '../upstreams/path-template.ts';
import type { Refusal, Step } from './exchange.ts';

/**
 * Refuses what two readers could read in two ways, before any policy is looked up: the policy and the upstream must
 * see the same string.
 */
export function createEdge(): Step {
  return function edge(exchange) {
    const { req } = exchange;
    const target = req.url ?? '';
    const queryAt = target.indexOf('?');
    const path = queryAt === -1 ? target : target.slice(0, queryAt);
    exchange.query = queryAt === -1 ? '' : target.slice(queryAt);
    if (!isPlain(path)) {
      const fault = pathFault(path);
      if (fault !== null) {
        exchange.path = path;
        return { code: 'invalid_path', message: `The path ${fault}.` };
      }
    }
    exchange.path = path.includes('%') ? normalizeEscapes(path) : path;
    return hostFault(req.rawHeaders);
  };
}

/** The paths of nearly all requests: letters and digits between single slashes. */
const PLAIN = /^(?:\/[A-Za-z0-9_~-]+)+$/;
/** RFC 3986, 3.3: `pchar` and slashes. */
const ALLOWED = /^[/A-Za-z0-9._~!$&'()*+,;=:@%-]*$/;
/** A segment of one or two dots, plain or escaped, with path parameters or without (`..;a`). */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:$|[/;])/i;

function isPlain(path: string): boolean {
  return PLAIN.test(path);
}

/** What keeps two readers from reading a path alike, to be put after “The path”; null if nothing does. */
export function pathFault(path: string): string | null {
  if (!path.startsWith('/')) return 'does not start with a slash: send it without scheme and host';
  if (path.includes('//')) return 'has an empty segment';
  if (!ALLOWED.test(path)) return 'has a character that must be percent-encoded';
  if (DOT_SEGMENT.test(path)) return 'has a segment of dots';
  if (path.includes('%')) return escapeFault(path);
  return null;
}

function escapeFault(path: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) return 'has a % that begins no escape';
  if (/%(?:2f|5c)/i.test(path)) return 'has an encoded slash or backslash';
  if (/%(?:[01][0-9a-f]|7f)/i.test(path)) return 'has an encoded control character';
  try {
    decodeURIComponent(path);
    return null;
  } catch {
    return 'has escapes that are not UTF-8';
  }
}

/** RFC 9110, 7.2: a name or address, and a port. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

function hostFault(rawHeaders: readonly string[]): Refusal | undefined {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return { code: 'bad_request', message: 'There is more than one Host header.', close: true };
    host = rawHeaders[index + 1];
  }
  if (host !== undefined && HOST.test(host)) return undefined;
  return {
    code: 'bad_request',
    message: host === undefined || host === '' ? 'The Host header is missing.' : 'The Host header is malformed.',
    close: true,
  };
}
