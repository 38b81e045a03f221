import { randomUUID } from 'node:crypto';
import { looksLikeKey } from '../../http/redact-keys.ts';
import type { Step } from '../exchange.ts';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's `X-Request-Id` if it is fit for a log line, else a new one. */
export function requestIdFrom(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && WELL_FORMED.test(given) && !looksLikeKey(given) ? given : randomUUID();
}

/** Gives the request its id, and sends it back. */
export function createRequestId(): Step {
  return function requestId(exchange) {
    exchange.requestId = requestIdFrom(exchange.req.headers['x-request-id']);
    exchange.headers.push('X-Request-Id', exchange.requestId);
    return undefined;
  };
}
