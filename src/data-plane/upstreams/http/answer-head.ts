import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { responseHeaders } from './response-headers.ts';

/** The characters that Node allows in a reason phrase. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const ASCII = /^[\t\x20-\x7e]*$/;
/** `identity` is not a coding; it is obsolete, and means that the body ends with the connection. */
const FRAMING_ONLY = /^(?:chunked|identity)$/i;

/**
 * Writes the head of a target's answer.
 *
 * @param reason one character per byte; undefined: the default phrase for the status
 * @param headers names in lower case, repeated ones as lists
 * @throws Error if the answer cannot be passed on
 */
export function writeAnswerHead(
  res: ServerResponse,
  status: number,
  reason: string | undefined,
  headers: IncomingHttpHeaders,
): void {
  // The parsers let these through: interim answers that are too long, 099, and 101 without an upgrade.
  if (status < 200) throw new Error(`${status} is not the status of an answer`);
  const encoding = headers['transfer-encoding'];
  // The consumer would get encoded bytes without being told.
  if (encoding !== undefined && !FRAMING_ONLY.test(encoding)) throw new Error(`the transfer coding ${encoding}`);
  const pairs = responseHeaders(headers, status, mayHaveTrailers(res, status, headers));
  if (reason === undefined || !SENDABLE.test(reason)) res.writeHead(status, pairs);
  else res.writeHead(status, reason, pairs);
}

/** Node refuses to announce trailers if the body is not chunked. */
function mayHaveTrailers({ req }: ServerResponse, status: number, headers: IncomingHttpHeaders): boolean {
  if (headers['content-length'] !== undefined || status === 204 || status === 304) return false;
  return req.method !== 'HEAD' && req.httpVersionMinor > 0;
}

/**
 * The bytes of a reason phrase that was decoded as UTF-8.
 *
 * @returns one character per byte; undefined if the bytes were not UTF-8, and are lost
 */
export function reasonBytes(decoded: string | undefined): string | undefined {
  if (decoded === undefined || ASCII.test(decoded)) return decoded;
  return decoded.includes('\ufffd') ? undefined : Buffer.from(decoded).toString('latin1');
}
