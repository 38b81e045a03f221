import type { IncomingMessage } from 'node:http';

/**
 * Counts a body that came without its length, as it comes. What is over the limit reaches nobody, nor does the body's
 * end: a part must not pass for the whole.
 *
 * @param max bytes
 */
export function limitBody(req: IncomingMessage, max: number, exceeded: () => void): void {
  const push = req.push.bind(req);
  // Some of it may have come with the head, or while the request was decided.
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
