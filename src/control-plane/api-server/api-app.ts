import type { RequestListener } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import { createRequestLog } from './request-log.ts';
import { createFramingCheck } from './check-framing.ts';
import { createErrorHandler, type Handler, type ApiCaller } from './send-response.ts';

/** Log messages for a response, and for an internal error. */
interface LogMessages {
  readonly response: string;
  readonly failure: string;
}

/**
 * Creates an Express application.
 *
 * @param steps in order; null for steps that the configuration does not need
 */
export function createApp<Caller extends ApiCaller>(
  steps: readonly (Handler<Caller> | Handler | null)[],
  { response, failure }: LogMessages,
  logger: Logger,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.use(createRequestLog(response, logger));
  app.use(createFramingCheck());
  for (const step of steps) if (step !== null) app.use(step as Handler);
  app.use(createErrorHandler(failure, logger));

  return function api(req, res) {
    // Express responds by itself, before authentication, if it cannot parse the target. So it always gets the target
    // `/`, and the steps read `originalUrl`.
    Object.assign(req, { originalUrl: req.url, url: '/' });
    (app as unknown as RequestListener)(req, res);
  };
}
