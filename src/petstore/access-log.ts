import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './http/operation.ts';
import { readPath } from './http/reply.ts';

/** Logs one line per response, once it has been sent or the client has disconnected. */
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
