import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './errors.ts';
import type { Logger, Reply } from './operation.ts';

export function sendReply(res: ServerResponse, { status, body, headers }: Reply): void {
  if (body === undefined) {
    res.writeHead(status, headers).end();
    return;
  }
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  res.end(body);
}

/** Sends an `ApiError` as it is. Any other error is logged, and the response is `internal_error`. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: unknown, logger: Logger): void {
  const known = error instanceof ApiError ? error : new ApiError('internal_error');
  if (known !== error) logger.error({ err: error, method: req.method, path: readPath(req) }, 'request failed');
  if (res.headersSent) {
    // A partial response must not look like a complete one.
    res.destroy();
    return;
  }
  const { code, message, status, details } = known;
  const headers = { ...known.headers, 'Cache-Control': 'no-store' };
  sendReply(res, { status, headers, body: JSON.stringify({ code, message, status, details }) });
}

export const readPath = (req: IncomingMessage): string => (req.url ?? '').split('?', 1)[0]!;
