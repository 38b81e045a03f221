import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { UpstreamRequest } from '../upstream.ts';

/**
 * Turns the consumer's request into the request that the upstream may see. Node stores headers in several forms. All of
 * them are replaced, so that a removed header does not remain in any of them.
 */
export function applyRequest({ req, url, headers: rawHeaders }: UpstreamRequest): IncomingMessage {
  const parsedHeaders = req.headers;
  const headers: IncomingHttpHeaders = {};
  const distinctHeaders = new BareObject();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const values = distinctHeaders[name];
    if (values === undefined) {
      distinctHeaders[name] = [value];
      headers[name] = value;
    } else {
      values.push(value);
      // Node joins the values of a repeated header by rules that depend on the header, and keeps only the first value of
      // some headers. The values must be joined again, because a value with a key may have been removed.
      const joinedValue = parsedHeaders[name];
      const isFirstOnly = name === 'authorization' || name === 'referer' || joinedValue === values[0];
      if (name === 'cookie') headers[name] = values.join('; ');
      else if (!isFirstOnly) headers[name] = Array.isArray(joinedValue) ? joinedValue : values.join(', ');
    }
  }
  req.url = url;
  // The gateway's own Express layer stores the original target here.
  (req as { originalUrl?: string }).originalUrl = url;
  req.rawHeaders = rawHeaders;
  req.headers = headers;
  req.headersDistinct = distinctHeaders;
  return req;
}

/**
 * Creates objects without a prototype, because a header may be called `constructor`. Several times faster than
 * `Object.create(null)`.
 */
const BareObject = function BareObject() {} as unknown as new () => NodeJS.Dict<string[]>;
BareObject.prototype = Object.create(null) as object;
