import type { IncomingMessage } from 'node:http';
import type { Step } from '../exchange/exchange.ts';
import { findFramingFault, HOST_MISSING } from '../../http/framing.ts';
import { isPlainPath, findPathFault } from '../../http/path-rules.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';

/**
 * Refuses requests that the gateway and the upstream could parse differently. Otherwise, the limits of one path could be
 * evaded by calling another.
 *
 * @param slashes how to treat encoded slashes: `pass` if any operation accepts them; `match` then refuses them for all
 * other operations
 */
export function createEdgeStep(slashes: 'refuse' | 'pass'): Step {
  return function edge(exchange) {
    const { req } = exchange;
    const target = toOriginForm(req);
    const queryAt = target.indexOf('?');
    const path = queryAt === -1 ? target : target.slice(0, queryAt);
    exchange.query = queryAt === -1 ? '' : target.slice(queryAt);
    if (!isPlainPath(path)) {
      const fault = findPathFault(path, slashes);
      if (fault !== null) {
        exchange.path = path;
        return { code: 'invalid_path', message: `The path ${fault}.` };
      }
    }
    exchange.path = path.includes('%') ? normalizeEscapes(path) : path;
    if (exchange.query.includes('#')) return { code: 'bad_request', message: 'The query contains a #.' };
    const fault = findFramingFault(req) ?? (req.headers.host === undefined ? HOST_MISSING : null);
    return fault === null ? undefined : { code: 'bad_request', message: fault, close: true };
  };
}

/**
 * Converts the request target to path and query. Servers must also accept the absolute form (RFC 9112, 3.2.2), although
 * clients normally send it only to proxies. If its authority differs from the `Host` header, the target is returned
 * unchanged, and then refused because its path does not begin with a slash.
 */
function toOriginForm({ url = '', headers: { host } }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)(.*)$/is;
