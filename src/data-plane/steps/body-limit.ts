import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../exchange/exchange.ts';
import type { ErrorStep, ServeStep } from '../exchange/run-steps.ts';

/** Closes the connection, because the rest of the body is not read. */
export const BODY_TOO_LARGE: Refusal = { code: 'body_too_large', close: true };

/**
 * Refuses a body that is larger than its operation allows: before any of it is read if the head has its length,
 * otherwise while it arrives.
 */
export function createBodyLimit(interrupt: ErrorStep['interrupt']): ServeStep {
  return function bodyLimit(exchange) {
    const { req, tunnel } = exchange;
    const { maxBodyBytes } = exchange.route;
    if (isDeclaredTooLarge(req, maxBodyBytes)) return BODY_TOO_LARGE;
    if (tunnel !== null || req.headers['transfer-encoding'] === undefined) return undefined;
    if (req.readableLength > maxBodyBytes) return BODY_TOO_LARGE;
    limitBody(req, maxBodyBytes, () => interrupt(exchange, BODY_TOO_LARGE));
    return undefined;
  };
}

/**
 * Whether the `Content-Length` already shows that the body is too large, so that none of the body needs to be read.
 */
export function isDeclaredTooLarge({ headers }: IncomingMessage, maxBytes: number): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) > maxBytes;
}

/**
 * Limits a body of unknown length by counting its bytes as they arrive. When the body turns out to be too large, the
 * upstream receives neither the rest nor the end, because a truncated body must not look complete.
 */
function limitBody(req: IncomingMessage, maxBytes: number, onExceeded: () => void): void {
  const push = req.push.bind(req);
  // Some of the body may have arrived with the head, or during the steps before this one.
  let receivedBytes = req.readableLength;
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (receivedBytes > maxBytes) return true;
    receivedBytes += chunk?.length ?? 0;
    if (receivedBytes <= maxBytes) return push(chunk, encoding);
    onExceeded();
    req.socket.once('close', () => req.destroy(new Error('the body is too large')));
    return true;
  };
}
