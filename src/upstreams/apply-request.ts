import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { UpstreamRequest } from './upstream.ts';

/**
 * Makes the consumer's request that which the upstream may see, in all forms that Node gives headers: what is cut from
 * one must not remain in another.
 */
export function applyRequest({ req, url, headers: raw }: UpstreamRequest): IncomingMessage {
  const parsed = req.headers;
  const headers: IncomingHttpHeaders = {};
  const distinct: NodeJS.Dict<string[]> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const values = (distinct[name] ??= []);
    values.push(raw[index + 1] ?? '');
    // Node has joined the values of a header that was repeated, by the rules of each; a key is only ever in one of its
    // own or in Authorization, of which Node takes the first.
    headers[name] = values.length === 1 || name === 'authorization' ? values[0] : parsed[name];
  }
  req.url = url;
  req.rawHeaders = raw;
  req.headers = headers;
  req.headersDistinct = distinct;
  return req;
}
