import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { errorBody, errors, type ErrorCode } from '../errors.ts';
import type { Guard } from './guard.ts';
import { guardHeaders } from './rate-limit-headers.ts';

/**
 * Answers what Node's parser refuses, before there is a request: with the same body, headers and log line as any other
 * error, written to the socket by hand, which is then closed.
 *
 * @param refused told of each
 */
export function createClientErrorListener(guard: Guard, logger: Logger, refused: (code: ErrorCode) => void = () => {}) {
  return function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = codeOf(error);
    refused(code);
    const requestId = randomUUID();
    logger.info({ requestId, status: errors[code].status, reason: code, parser: error.code }, 'response');
    guard
      .peek(socket.remoteAddress ?? '')
      .then((usage) => socket.end(rawResponse(code, ['X-Request-Id', requestId, ...guardHeaders(usage)])))
      .catch((failure: unknown) => {
        logger.error({ err: failure, requestId }, 'a request failed');
        socket.destroy();
      });
  };
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function rawResponse(code: ErrorCode, headers: readonly string[]): string {
  const { status } = errors[code];
  const body = errorBody(code);
  const lines = [`HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`];
  const all = [...headers, 'Content-Type', 'application/json', 'Cache-Control', 'no-store'];
  all.push('Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close');
  for (let index = 0; index < all.length; index += 2) lines.push(`${all[index]}: ${all[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
