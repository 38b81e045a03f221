import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { UpstreamRequest } from './upstream.ts';

/**
 * Makes the consumer's request that which the upstream may see, in all forms that Node gives headers: what is cut from
 * one must not remain in another.
 */
export function applyRequest({ req, url, headers: raw }: UpstreamRequest): IncomingMessage {
  const parsed = req.headers;
  const headers: IncomingHttpHeaders = {};
  const distinct = new Bare();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const values = distinct[name];
    if (values === undefined) {
      distinct[name] = [value];
      headers[name] = value;
    } else {
      values.push(value);
      // Node has joined the values of a header that was repeated, by the rules of each. Where a key may have been, its
      // rules are followed here: of Authorization and Referer it takes the first.
      if (name === 'cookie') headers[name] = values.join('; ');
      else if (name !== 'authorization' && name !== 'referer') headers[name] = parsed[name];
    }
  }
  req.url = url;
  // Where the gateway's own Express layer has kept the target as it was sent.
  (req as { originalUrl?: string }).originalUrl = url;
  req.rawHeaders = raw;
  req.headers = headers;
  req.headersDistinct = distinct;
  return req;
}

/** Without a prototype: a header may be called `constructor`. What `Object.create(null)` makes is several times slower. */
const Bare = function Bare() {} as unknown as new () => NodeJS.Dict<string[]>;
Bare.prototype = Object.create(null) as object;
