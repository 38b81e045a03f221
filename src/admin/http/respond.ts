import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { errorBody, errors } from '../../base/errors.ts';
import { withoutKeys } from '../../registry/redact.ts';
import type { AdminToken } from '../access/admin-token.ts';
import { Refused, refusalOf } from './refused.ts';

/** What is found out about a request on its way. */
export interface Locals {
  requestId: string;
  token?: AdminToken;
  operationId?: string;
  /** Asked every few seconds by a machine. */
  probe?: boolean;
  refusal?: string;
}

export type Handler = RequestHandler<Parameters, unknown, unknown, unknown, Locals>;
type ErrorHandler = ErrorRequestHandler<Parameters, unknown, unknown, unknown, Locals>;
type Parameters = Record<string, string>;

/** Not by `res.send`, which adds an ETag of the body and answers 304 by it. */
export function respond(
  res: Response,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (body !== undefined) {
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/json');
    res.setHeader('Content-Length', Buffer.byteLength(body));
  }
  res.end(body);
}

/** The only place where an error becomes a response. */
export function createErrors(logger: Logger): ErrorHandler {
  return function answerError(error: unknown, _req, res, _next) {
    const { code, message, details, headers } = refusalOf(error) ?? fault(error, res.locals.requestId);
    res.locals.refusal = code;
    if (res.headersSent) {
      res.destroy();
      return;
    }
    // A key in a field's name or in a value that is quoted must not come back, or end up in the caller's log.
    respond(res, errors[code].status, headers, withoutKeys(errorBody(code, message, details)));
  };

  function fault(error: unknown, requestId: string): Refused {
    logger.error({ err: error, requestId }, 'an admin request failed');
    return new Refused('internal_error');
  }
}
