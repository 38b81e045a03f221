import type { IncomingMessage } from 'node:http';
import type { Step } from '../exchange/exchange.ts';
import { framingFault, HOST_MISSING } from '../../http/framing.ts';
import { isPlain, pathFault } from '../../http/path-rules.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';

/**
 * Refuses requests that two parsers could read differently, before any policy is looked up: the policy and the upstream
 * must see the same string.
 *
 * @param slashes `pass` if any operation accepts encoded slashes; `match` then refuses them for all other operations
 */
export function createEdge(slashes: 'refuse' | 'pass'): Step {
  return function edge(exchange) {
    const { req } = exchange;
    const target = originForm(req);
    const queryAt = target.indexOf('?');
    const path = queryAt === -1 ? target : target.slice(0, queryAt);
    exchange.query = queryAt === -1 ? '' : target.slice(queryAt);
    if (!isPlain(path)) {
      const fault = pathFault(path, slashes);
      if (fault !== null) {
        exchange.path = path;
        return { code: 'invalid_path', message: `The path ${fault}.` };
      }
    }
    exchange.path = path.includes('%') ? normalizeEscapes(path) : path;
    if (exchange.query.includes('#')) return { code: 'bad_request', message: 'The query contains a #.' };
    const fault = framingFault(req) ?? (req.headers.host === undefined ? HOST_MISSING : null);
    return fault === null ? undefined : { code: 'bad_request', message: fault, close: true };
  };
}

/**
 * Path and query of the request target. Servers must also accept the absolute form (RFC 9112, 3.2.2), although clients
 * normally send it only to proxies. If its authority differs from the `Host` header, the target is left unchanged, so
 * that it is refused.
 */
function originForm({ url = '', headers: { host } }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)(.*)$/is;
