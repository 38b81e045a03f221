import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import type { OpenApiDocument } from './http/document.ts';
import { ApiError } from './http/errors.ts';
import type { Call, Logger, Operations } from './http/operation.ts';
import { sendError, sendReply } from './http/reply.ts';
import { buildRouter, type Route, type Router } from './http/router.ts';

interface AppDependencies {
  document: OpenApiDocument;
  operations: Operations;
  logger: Logger;
  /** False after the database was closed. */
  isOpen: () => boolean;
}

/** Creates the pet store as a request listener, with the routes of the OpenAPI document. */
export function createListener(dependencies: AppDependencies): RequestListener {
  const handleRequest = createRequestHandler(buildRouter(dependencies.document, dependencies.operations), dependencies);
  return function petstore(req, res) {
    try {
      handleRequest(req, res);
    } catch (error) {
      sendError(req, res, error, dependencies.logger);
    }
  };
}

/**
 * Wraps the listener in an Express app. The gateway does not need this app, because it runs the listener in its own
 * process, behind Express.
 */
export function createApp(listener: RequestListener): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(listener);
  return function serve(req, res) {
    // Express does not route a URL that it cannot parse, and would respond with its own page. So such requests go to
    // the listener too.
    app(req as express.Request, res as express.Response, () => listener(req, res));
  };
}

/** Creates a function that handles requests. It responds synchronously if there is no body, to avoid promises for reads. */
function createRequestHandler(router: Router, { isOpen, logger }: AppDependencies) {
  const respond = (res: ServerResponse, route: Route, call: Call<unknown>) => {
    // Check this last, because the database may be closed while a body arrives.
    if (!isOpen()) throw new ApiError('shutting_down', undefined, { headers: { 'Retry-After': '1' } });
    sendReply(res, route.run(call));
  };
  return (req: IncomingMessage, res: ServerResponse): void => {
    const url = req.url ?? '/';
    const queryStart = url.indexOf('?');
    // Cut off the query. Otherwise, find-my-way would parse it too, although nothing uses the result.
    const { route, params } = router(req.method ?? 'GET', queryStart === -1 ? url : url.slice(0, queryStart));
    const path = route.readPath(params);
    const query = route.readQuery(queryStart === -1 ? '' : url.slice(queryStart + 1));
    if (route.readBody === undefined) {
      respond(res, route, { path, query, body: undefined });
      return;
    }
    route
      .readBody(req)
      .then((body) => respond(res, route, { path, query, body }))
      .catch((error: unknown) => sendError(req, res, error, logger));
  };
}
