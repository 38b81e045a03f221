import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { OpenApiDocument } from './document.ts';
import { ApiError } from './errors.ts';
import type { Logger, Operations } from './operation.ts';
import { sendError, sendReply } from './reply.ts';
import { buildRouter, type Router } from './router.ts';

export interface AppParts {
  document: OpenApiDocument;
  operations: Operations;
  logger: Logger;
  /** False once the database is closed. */
  isOpen: () => boolean;
}

/** The pet store as an Express app: one layer, which routes by the OpenAPI document. */
export function createApp({ document, operations, logger, isOpen }: AppParts): express.Express {
  const router = buildRouter(document, operations);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((req: IncomingMessage, res: ServerResponse) => {
    try {
      if (!isOpen()) throw new ApiError('shutting_down', undefined, { headers: { 'Retry-After': '1' } });
      serve(router, req, res, logger);
    } catch (error) {
      sendError(req, res, error, logger);
    }
  });
  return app;
}

/** Answers at once where no body has to be read, which keeps the reads free of promises. */
function serve(router: Router, req: IncomingMessage, res: ServerResponse, logger: Logger): void {
  const url = req.url ?? '/';
  const { route, params } = router(req.method ?? 'GET', url);
  const search = url.indexOf('?');
  const path = route.readPath(params);
  const query = route.readQuery(search === -1 ? '' : url.slice(search + 1));
  if (route.readBody === undefined) {
    sendReply(res, route.run({ path, query, body: undefined }));
    return;
  }
  route
    .readBody(req)
    .then((body) => sendReply(res, route.run({ path, query, body })))
    .catch((error: unknown) => sendError(req, res, error, logger));
}
