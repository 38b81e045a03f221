import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../exchange/exchange.ts';

/** The rest of the body is not read: the connection ends. */
export const BODY_TOO_LARGE: Refusal = { code: 'body_too_large', close: true };

/** Whether the head already says that the body is too large (`Content-Length`), so that none of it need be read. */
export function declaresTooMuch({ headers }: IncomingMessage, maxBytes: number): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) > maxBytes;
}

/**
 * Limits a body of unknown length by counting it as it arrives. Neither what exceeds the limit nor the body's end is
 * passed on: a part must not pass for the whole.
 */
export function limitBody(req: IncomingMessage, maxBytes: number, onExceeded: () => void): void {
  const push = req.push.bind(req);
  // Some may have arrived with the head, or while the steps before this one ran.
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
