import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { isRetryUseless } from './retry-after.ts';
import { http } from './http-server.ts';
import { formatErrorBody, errors, type CallErrorCode } from '../domain/error-codes.ts';
import { type AddressLimiter } from './call-limiter.ts';
import { pushXRateLimitHeaders } from './rate-limit-headers.ts';
import { closeLingering } from './linger.ts';

/**
 * Refuses a request for which there is no request object, such as one that Node could not parse. The response and log
 * line are like those of any other error.
 *
 * @param logFields additional fields of the log line
 * @param headers additional headers, as a flat list of names and values
 */
export type RefuseRaw = (
  socket: Socket,
  code: CallErrorCode,
  logFields: Record<string, unknown>,
  headers?: readonly string[],
) => void;

/**
 * Creates a function that writes the response directly to the socket and then closes the connection.
 *
 * @param onRefused called for each refusal
 */
export function createRefuseRaw(
  addressLimiter: AddressLimiter,
  logger: Logger,
  onRefused: (code: CallErrorCode) => void = () => {},
): RefuseRaw {
  const refusedSockets = new WeakSet<Socket>();
  return function refuseRaw(socket, code, logFields, headers = []) {
    // The parser reports an error for every further chunk, but one response is enough.
    if (refusedSockets.has(socket)) return;
    refusedSockets.add(socket);
    onRefused(code);
    const requestId = randomUUID();
    logger.info({ requestId, status: errors[code].status, reason: code, ...logFields }, 'response');
    addressLimiter
      .peek(socket.remoteAddress ?? '')
      .then((usage) => {
        const allHeaders = ['X-Request-Id', requestId];
        pushXRateLimitHeaders(allHeaders, usage);
        socket.write(formatRawResponse(code, allHeaders.concat(headers)));
        closeLingering(socket);
      })
      .catch((writeError: unknown) => {
        logger.error({ err: writeError, requestId }, 'request failed');
        socket.destroy();
      });
  };
}

function formatRawResponse(code: CallErrorCode, headers: readonly string[]): string {
  const { status } = errors[code];
  const body = formatErrorBody(code);
  const lines = [`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`];
  const allHeaders = [...headers, 'Content-Type', 'application/json', 'Cache-Control', 'no-store'];
  if (isRetryUseless(status, headers)) allHeaders.push('X-Should-Retry', 'false');
  allHeaders.push('Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close');
  for (let index = 0; index < allHeaders.length; index += 2)
    lines.push(`${allHeaders[index]}: ${allHeaders[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Maps an error of Node's parser to an error code. */
export function toClientErrorCode(error: NodeJS.ErrnoException): CallErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}
