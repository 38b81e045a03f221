import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './http/operation.ts';
import { readPath } from './http/reply.ts';

/** Writes one log line per response, when the response was sent or the client has left. */
export function logAccess(req: IncomingMessage, res: ServerResponse, logger: Logger): void {
  const start = performance.now();
  const path = readPath(req);
  res.once('close', () => {
    const fields = {
      method: req.method,
      path,
      status: res.statusCode,
      durationMs: Math.round((performance.now() - start) * 100) / 100,
      requestId: req.headers['x-request-id'],
      ...(res.writableFinished ? {} : { aborted: true }),
    };
    logger.info(fields, 'request');
  });
}
