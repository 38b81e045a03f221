import type { IncomingMessage } from 'node:http';
import type { Step, Refusal } from '../exchange/exchange.ts';
import { isPlain, pathFault } from '../../http/path-rules.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';

/**
 * Refuses requests that two parsers could read differently, before any policy is looked up: the policy and the upstream
 * must see the same string. Also refuses methods that no operation has.
 *
 * @param methods all that are served
 * @param slashes `pass` if some upstream takes encoded slashes: `match` refuses them for the others
 */
export function createEdge(methods: ReadonlySet<string>, slashes: 'refuse' | 'pass'): Step {
  const allow = [...methods].join(', ');
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
    const fault = framingFault(req);
    if (fault !== undefined) return fault;
    return methods.has(req.method ?? '') ? undefined : { code: 'method_not_allowed', headers: ['Allow', allow] };
  };
}

/**
 * Path and query of the request target. Servers must also accept the absolute form (RFC 9112, 3.2.2), which clients
 * send to proxies. If its authority differs from the `Host` header, the target is left unchanged, and refused.
 */
function originForm({ url = '', headers: { host } }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)(.*)$/i;

/** RFC 9110, 7.2: a name or address, with or without a port. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Finds errors that Node's parser accepts, though two parsers could disagree about where the request ends or which host
 * it is for (RFC 9112, 3.2 and 6.3). Node itself refuses the others: two lengths, a length with chunks, broken line
 * endings.
 */
export function framingFault({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusal('Only HTTP/1.1 and HTTP/1.0 are supported.');
  let host: string | undefined;
  let encoding: string | undefined;
  let length: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first rules out most headers.
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) return refusal('The request has more than one Host header.');
      host = rawHeaders[index + 1];
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (encoding !== undefined) return refusal('The request has more than one Transfer-Encoding header.');
      encoding = rawHeaders[index + 1] ?? '';
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length !== undefined) return refusal('The request has more than one Content-Length header.');
      length = rawHeaders[index + 1] ?? '';
    }
  }
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked') return refusal('The only supported Transfer-Encoding is chunked.');
    if (length !== undefined) return refusal('The request has both Content-Length and Transfer-Encoding.');
    if (httpVersion === '1.0') return refusal('HTTP/1.0 does not support Transfer-Encoding.');
  }
  if (host === undefined || host === '') return refusal('The Host header is missing.');
  return HOST.test(host) ? undefined : refusal('The Host header is malformed.');
}

function refusal(message: string): Refusal {
  return { code: 'bad_request', message, close: true };
}
