import type { Logger } from 'pino';
import { errorBody, errors } from '../../domain/error-codes.ts';
import { isBodyPending } from '../../http/framing.ts';
import { isRetryUseless } from '../../http/retry-after.ts';
import { UpstreamError } from '../upstreams/upstream-error.ts';
import type { Exchange, Refusal } from '../exchange/exchange.ts';
import { disarm } from '../answers/response.ts';
import type { PushKnownUsage } from '../exchange/push-usage.ts';
import { respond } from '../exchange/respond.ts';
import type { ErrorStep } from '../exchange/run-steps.ts';
import { UPSTREAM_BUSY } from '../exchange/unavailable.ts';

/** The only place where a refusal or an error becomes a response. */
export function createErrors(pushKnownUsage: PushKnownUsage, logger: Logger): ErrorStep {
  /** For unexpected errors of the gateway, in a step or while it responds. */
  function failInternally(exchange: Exchange, error: unknown): void {
    const { res, requestId } = exchange;
    logger.error({ err: error, requestId }, 'request failed');
    // Too late for a different response, or responding is what failed: only closing the connection can tell the client.
    if (res.headersSent || exchange.refusal === 'internal_error') {
      // A response that was written completely still arrives, whatever failed after that.
      if (!res.writableEnded) res.destroy();
      return;
    }
    exchange.refusal = 'internal_error';
    pushKnownUsage(exchange)
      .then(() => write(exchange, { code: 'internal_error' }))
      .catch((answerError: unknown) => {
        logger.error({ err: answerError, requestId }, 'an error response could not be sent');
        res.destroy();
      });
  }

  function refuse(exchange: Exchange, refusal: Refusal): void {
    exchange.refusal = refusal.code;
    if (refusal.headers !== undefined) exchange.refusalHeaders = refusal.headers;
    // Nothing that follows on the connection is read from now on.
    if (refusal.close === true) exchange.res.shouldKeepAlive = false;
    if (!exchange.rateLimited) {
      pushKnownUsage(exchange)
        .then(() => send(exchange, refusal))
        .catch((error: unknown) => failInternally(exchange, error));
    } else {
      send(exchange, refusal);
    }
  }

  /**
   * A body whose end has not arrived closes the connection. Node may not have parsed all of the packet that brought the
   * head, so a short body gets the rest of this turn of the event loop to be complete.
   */
  function send(exchange: Exchange, refusal: Refusal): void {
    const { req, res } = exchange;
    if (res.shouldKeepAlive && isBodyPending(req)) setImmediate(() => tryWrite(exchange, refusal));
    else tryWrite(exchange, refusal);
  }

  function tryWrite(exchange: Exchange, refusal: Refusal): void {
    try {
      write(exchange, refusal);
    } catch (error) {
      // Nothing else would catch it: the caller may be the end of a promise chain, or a listener.
      failInternally(exchange, error);
    }
  }

  /** Ends a response that has begun. If it is completely written, it still arrives. */
  function cutOff(exchange: Exchange, { code }: Refusal): void {
    if (exchange.res.writableEnded) return;
    exchange.refusal = code;
    exchange.res.destroy();
  }

  return {
    refuse,
    interrupt(exchange, refusal) {
      if (exchange.refusal !== null) return;
      if (!exchange.res.headersSent) return refuse(exchange, refusal);
      // A response that has arrived completely is sent in this turn of the event loop, and must not be lost.
      setImmediate(() => cutOff(exchange, refusal));
    },
    fail(exchange, error) {
      if (!(error instanceof UpstreamError) || exchange.refusal !== null || exchange.res.headersSent) {
        return failInternally(exchange, error);
      }
      // The upstream logs it, but not each time: under load, one more line per request would only add to it.
      if (error.code === 'upstream_busy') return refuse(exchange, UPSTREAM_BUSY);
      logger.warn({ err: error, requestId: exchange.requestId }, 'upstream failed');
      refuse(exchange, { code: error.code });
    },
  };
}

function write(exchange: Exchange, refusal: Refusal): void {
  const { res } = exchange;
  if (res.headersSent || res.destroyed) return;
  const { status } = errors[refusal.code];
  const own = refusal.headers ?? [];
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...own];
  if (isRetryUseless(status, own)) headers.push('X-Should-Retry', 'false');
  const body = errorBody(refusal.code, refusal.message, refusal.details);
  respond(exchange, status, headers, body);
  if (exchange.forwarded) disarm(res);
}
