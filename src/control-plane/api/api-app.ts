import type { RequestListener } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import { createBegin } from './begin.ts';
import { createErrors, type Handler, type ApiCaller } from './send-response.ts';

/** What the log calls a response, and a fault of ours. */
export interface LogMessages {
  readonly response: string;
  readonly failure: string;
}

/**
 * One Express application.
 *
 * @param steps in their order; null stands for what the configuration did not ask for
 */
export function createApp<Caller extends ApiCaller>(
  steps: readonly (Handler<Caller> | Handler | null)[],
  { response, failure }: LogMessages,
  logger: Logger,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.use(createBegin(response, logger));
  for (const step of steps) if (step !== null) app.use(step as Handler);
  app.use(createErrors(failure, logger));

  return function api(req, res) {
    // Express would answer by itself, before anybody is identified, if it could not parse the target. So it gets `/`;
    // the steps read `originalUrl`.
    Object.assign(req, { originalUrl: req.url, url: '/' });
    (app as unknown as RequestListener)(req, res);
  };
}
