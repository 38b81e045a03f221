import type { IncomingMessage } from 'node:http';

/** Matches a valid Host header (RFC 9110, 7.2): a name or address, with or without a port. */
export const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

export const HOST_MISSING = 'The Host header is missing.';

/**
 * Finds errors because of which two parsers could disagree about where the request ends, or which host it is for (RFC
 * 9112, 3.2 and 6.3). After such a request, nothing on its connection can be trusted. Checks only for errors that Node's
 * parser accepts; Node itself already refuses most of them, such as broken line endings.
 *
 * @returns the error, as a sentence; null if there is none
 */
export function findFramingFault({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Only HTTP/1.1 and HTTP/1.0 are supported.';
  let host: string | undefined;
  let encoding: string | undefined;
  let length: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first rules out most headers.
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) return 'The request has more than one Host header.';
      host = rawHeaders[index + 1] ?? '';
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (encoding !== undefined) return 'The request has more than one Transfer-Encoding header.';
      encoding = rawHeaders[index + 1] ?? '';
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length !== undefined) return 'The request has more than one Content-Length header.';
      length = rawHeaders[index + 1] ?? '';
    }
  }
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked') return 'The only supported Transfer-Encoding is chunked.';
    if (length !== undefined) return 'The request has both Content-Length and Transfer-Encoding.';
    if (httpVersion === '1.0') return 'HTTP/1.0 does not support Transfer-Encoding.';
  }
  // HTTP/1.0 does not require a Host header.
  if (host === undefined) return httpVersion === '1.0' ? null : HOST_MISSING;
  if (host === '') return HOST_MISSING;
  return HOST.test(host) ? null : 'The Host header is malformed.';
}

/** Whether the request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Whether a part of the request's body has not arrived yet. A response that begins before the body is complete must
 * close the connection. The client may never send the rest, for example if it is a proxy whose own client has
 * disconnected. Some proxies then send their next request in place of the body. The gateway would take the start of that
 * request for the rest of the body, and parse whatever follows as another request.
 */
export function isBodyPending(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req);
}

/**
 * Whether a request asks for an upgrade. If the gateway does not upgrade, nothing after the request can be trusted:
 * Node's parser drops the rest of the packet, and resumes in the middle of whatever follows.
 */
export function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}
