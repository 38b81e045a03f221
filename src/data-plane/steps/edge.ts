import type { IncomingMessage } from 'node:http';
import { normalizeEscapes } from '../../openapi/path-template.ts';
import { isPlain, pathFault } from '../../http/path-rules.ts';
import type { Step } from '../exchange/exchange.ts';
import { framingFault } from './framing.ts';

/**
 * Refuses requests that two parsers could read differently, before any policy is looked up: the policy and the upstream
 * must see the same string. Also refuses methods that no operation has.
 *
 * @param methods all that are served
 */
export function createEdge(methods: ReadonlySet<string>): Step {
  const allow = [...methods].join(', ');
  return function edge(exchange) {
    const { req } = exchange;
    const target = originForm(req);
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
    if (exchange.query.includes('#')) return { code: 'bad_request', message: 'The query has a # in it.' };
    const fault = framingFault(req);
    if (fault !== undefined) return fault;
    return methods.has(req.method ?? '') ? undefined : { code: 'method_not_allowed', headers: ['Allow', allow] };
  };
}

/**
 * The request target as path and query. Servers must also accept the absolute form (RFC 9112, 3.2.2), which clients
 * send to proxies. If its authority differs from the `Host` header, it is left as it is, and refused.
 */
function originForm({ url = '', headers: { host } }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)(.*)$/i;
