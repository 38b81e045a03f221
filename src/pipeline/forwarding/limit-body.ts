import type { IncomingMessage } from 'node:http';

/**
 * Limits a body of unknown length by counting it as it arrives. Neither what exceeds the limit nor the body's end is
 * passed on: a part must not pass for the whole.
 *
 * @param max bytes
 */
export function limitBody(req: IncomingMessage, max: number, exceeded: () => void): void {
  const push = req.push.bind(req);
  // Some may have arrived with the head, or while the request was being decided.
  let size = req.readableLength;
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (size > max) return true;
    size += chunk?.length ?? 0;
    if (size <= max) return push(chunk, encoding);
    exceeded();
    req.socket.once('close', () => req.destroy(new Error('the body is too large')));
    return true;
  };
}
