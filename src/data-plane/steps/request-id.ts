import { requestIdFrom } from '../../http/headers.ts';
import type { Step } from '../exchange/exchange.ts';

/** Gives the request its id, and sends it back. */
export function createRequestId(): Step {
  return function requestId(exchange) {
    exchange.requestId = requestIdFrom(exchange.req.headers['x-request-id']);
    exchange.headers.push('X-Request-Id', exchange.requestId);
    return undefined;
  };
}
