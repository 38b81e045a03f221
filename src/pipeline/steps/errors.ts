import type { Logger } from 'pino';
import type { AdmissionStore } from '../../admission/store.ts';
import { StoreUnavailable } from '../../base/store-unavailable.ts';
import { errorBody, errors } from '../../base/errors.ts';
import { UpstreamError } from '../../upstreams/upstream-error.ts';
import type { ClientAddress } from '../caller/client-address.ts';
import type { Exchange, Refusal } from '../exchange.ts';
import type { AddressLimiter } from '../caller/address-limiter.ts';
import { disarm } from '../http/disarm.ts';
import { pushAddressLimit, type PushUsage } from '../http/rate-limit-headers.ts';
import { respond } from '../http/respond.ts';
import type { ErrorStep } from '../run.ts';

export interface ErrorsSettings {
  readonly addressLimiter: AddressLimiter;
  readonly store: AdmissionStore;
  readonly clientAddress: ClientAddress;
  readonly pushUsage: PushUsage;
  readonly logger: Logger;
}

const OVERLOADED: Refusal = { code: 'overloaded', headers: ['Retry-After', '1'] };

/** The only place where a refusal or an error becomes a response. */
export function createErrors({ addressLimiter, store, clientAddress, pushUsage, logger }: ErrorsSettings): ErrorStep {
  function refuse(exchange: Exchange, refusal: Refusal): void {
    exchange.refusal = refusal.code;
    if (refusal.headers !== undefined) exchange.refusalHeaders = refusal.headers;
    if (refusal.close === true) exchange.closing = true;
    if (!exchange.rateLimited) {
      pushKnownUsage(exchange)
        .then(() => write(exchange, refusal))
        .catch((error: unknown) => fail(exchange, error));
      return;
    }
    try {
      write(exchange, refusal);
    } catch (error) {
      // Nobody else would catch it: the caller may be the end of a promise, or a listener.
      fail(exchange, error);
    }
  }

  async function pushKnownUsageOnce(exchange: Exchange): Promise<void> {
    if (!exchange.rateLimited) await pushKnownUsage(exchange);
  }

  /**
   * Every answer has the three rate-limit headers: the key's if one is known, else the address limiter's. Neither is
   * charged for it. A step that was running when the request was interrupted may finish first, and have pushed its own.
   */
  async function pushKnownUsage(exchange: Exchange): Promise<void> {
    const { credential } = exchange;
    if (credential !== null && exchange.refusal !== 'store_unavailable') {
      try {
        const usage = await store.inspect(credential.quotaId, credential.limits);
        if (!exchange.rateLimited) pushUsage(exchange, usage);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    }
    const usage = await addressLimiter.peek(clientAddress(exchange.req));
    if (!exchange.rateLimited) pushAddressLimit(exchange, usage);
  }

  function write(exchange: Exchange, refusal: Refusal): void {
    const { res } = exchange;
    if (res.headersSent || res.destroyed) return;
    const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...(refusal.headers ?? [])];
    if (refusal.close === true) {
      headers.push('Connection', 'close');
    }
    const body = errorBody(refusal.code, refusal.message, refusal.details);
    respond(exchange, errors[refusal.code].status, headers, body);
    if (exchange.forwarded) disarm(res);
  }

  function interrupt(exchange: Exchange, refusal: Refusal): void {
    if (exchange.refusal !== null) return;
    if (!exchange.res.headersSent) return refuse(exchange, refusal);
    exchange.refusal = refusal.code;
    exchange.res.destroy();
  }

  function fail(exchange: Exchange, error: unknown): void {
    if (error instanceof UpstreamError && exchange.refusal === null && !exchange.res.headersSent) {
      // The upstream was not called; under load, one more log line per request would only add to it.
      if (error.code === 'overloaded') return refuse(exchange, OVERLOADED);
      logger.warn({ err: error, requestId: exchange.requestId }, 'an upstream failed');
      return refuse(exchange, { code: error.code });
    }
    logger.error({ err: error, requestId: exchange.requestId }, 'a request failed');
    const { res } = exchange;
    // Too late for another answer, or answering is what failed: only closing the connection can tell the client.
    if (res.headersSent || exchange.refusal === 'internal_error') {
      // An answer that was written in full still arrives, whatever its author did afterwards.
      if (!res.writableEnded) res.destroy();
      return;
    }
    exchange.refusal = 'internal_error';
    pushKnownUsageOnce(exchange)
      .then(() => write(exchange, { code: 'internal_error' }))
      .catch((answerError: unknown) => {
        logger.error({ err: answerError, requestId: exchange.requestId }, 'a failure could not be answered');
        res.destroy();
      });
  }

  return { refuse, interrupt, fail };
}
