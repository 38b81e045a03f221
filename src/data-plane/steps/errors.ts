import type { Logger } from 'pino';
import { callerMessages, formatErrorBody, errors } from '../../domain/error-codes.ts';
import { isBodyPending } from '../../http/framing.ts';
import { isRetryUseless } from '../../http/retry-after.ts';
import { UpstreamError } from '../upstreams/upstream-error.ts';
import type { Exchange, Refusal } from '../exchange/exchange.ts';
import { disableWriting } from '../responses/response.ts';
import type { PushKnownUsageHeaders } from '../exchange/push-usage.ts';
import { respond } from '../exchange/respond.ts';
import type { ErrorStep } from '../exchange/run-steps.ts';
import { UPSTREAM_BUSY } from '../exchange/unavailable.ts';

/** Creates the only step that turns refusals and errors into responses. */
export function createErrorStep(pushKnownUsage: PushKnownUsageHeaders, logger: Logger): ErrorStep {
  /** Handles an unexpected error of the gateway, in a step or while it responds. */
  function failInternally(exchange: Exchange, error: unknown): void {
    const { res, requestId } = exchange;
    logger.error({ err: error, requestId }, 'request failed');
    // Either a response has already begun, or the error response itself failed. Closing the connection is the only way
    // left to tell the client.
    if (res.headersSent || exchange.refusal === 'internal_error') {
      // A response that was written completely still arrives, even if something failed after that, so its connection is
      // not closed.
      if (!res.writableEnded) res.destroy();
      return;
    }
    exchange.refusal = 'internal_error';
    pushKnownUsage(exchange)
      .then(() => write(exchange, { code: 'internal_error' }))
      .catch((responseError: unknown) => {
        logger.error({ err: responseError, requestId }, 'an error response could not be sent');
        res.destroy();
      });
  }

  function refuse(exchange: Exchange, refusal: Refusal): void {
    exchange.refusal = refusal.code;
    if (refusal.headers !== undefined) exchange.refusalHeaders = refusal.headers;
    // The connection closes after this response, so nothing more is read from it.
    if (refusal.close === true) exchange.res.shouldKeepAlive = false;
    if (!exchange.hasRateLimitHeaders) {
      pushKnownUsage(exchange)
        .then(() => send(exchange, refusal))
        .catch((error: unknown) => failInternally(exchange, error));
    } else {
      send(exchange, refusal);
    }
  }

  /**
   * Sends a refusal. The connection is closed after it, unless the request's body has arrived completely. A short body
   * may be in the same packet as the head, and Node may not have parsed it yet. The refusal is therefore written after
   * this turn of the event loop.
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
      // Nothing else would catch the error, because the caller may be the end of a promise chain, or a listener.
      failInternally(exchange, error);
    }
  }

  /**
   * Cuts off a response that has begun. A response that is completely written is left alone, so that it still arrives.
   */
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
      // Cuts the response off in the next turn: if all of the upstream's response has arrived, this turn still sends
      // it.
      setImmediate(() => cutOff(exchange, refusal));
    },
    fail(exchange, error) {
      if (!(error instanceof UpstreamError) || exchange.refusal !== null || exchange.res.headersSent) {
        return failInternally(exchange, error);
      }
      // The upstream logs this error itself, at a limited rate. A line per request would only add to the load.
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
  const refusalHeaders = refusal.headers ?? [];
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...refusalHeaders];
  if (isRetryUseless(status, refusalHeaders)) headers.push('X-Should-Retry', 'false');
  const forCaller = exchange.credential?.kind === 'token' ? callerMessages[refusal.code] : undefined;
  const body = formatErrorBody(refusal.code, refusal.message ?? forCaller, refusal.details);
  respond(exchange, status, headers, body);
  if (exchange.wasForwarded) disableWriting(res);
}
