import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { UpstreamRequest } from '../upstream.ts';

/**
 * Turns the consumer's request into the request that the upstream may see. Node stores headers in several forms. All of
 * them are replaced, so that a removed header does not remain in any of them.
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
      // Node joins the values of a repeated header by rules that depend on the header, and keeps only the first value of
      // some headers. The values must be joined again, because a value with a key may have been removed.
      const joined = parsed[name];
      const isFirstOnly = name === 'authorization' || name === 'referer' || joined === values[0];
      if (name === 'cookie') headers[name] = values.join('; ');
      else if (!isFirstOnly) headers[name] = Array.isArray(joined) ? joined : values.join(', ');
    }
  }
  req.url = url;
  // The gateway's own Express layer stores the original target here.
  (req as { originalUrl?: string }).originalUrl = url;
  req.rawHeaders = raw;
  req.headers = headers;
  req.headersDistinct = distinct;
  return req;
}

/**
 * Creates objects without a prototype, because a header may be called `constructor`. Several times faster than
 * `Object.create(null)`.
 */
const Bare = function Bare() {} as unknown as new () => NodeJS.Dict<string[]>;
Bare.prototype = Object.create(null) as object;
