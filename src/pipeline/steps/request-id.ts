import { randomUUID } from 'node:crypto';
import { looksLikeKey } from '../../registry/redact.ts';
import type { Step } from '../exchange.ts';

export const WELL_FORMED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Keeps the caller's `X-Request-Id` if it is fit for a log line, else generates one, and sends it back. */
export function createRequestId(): Step {
  return function requestId(exchange) {
    const given = exchange.req.headers['x-request-id'];
    const usable = typeof given === 'string' && WELL_FORMED_REQUEST_ID.test(given) && !looksLikeKey(given);
    exchange.requestId = usable ? given : randomUUID();
    exchange.headers.push('X-Request-Id', exchange.requestId);
    return undefined;
  };
}
