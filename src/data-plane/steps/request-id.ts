import { requestIdFrom } from '../../http/headers.ts';
import type { Step } from '../exchange/exchange.ts';

/** Gives the request an id, and adds the id to the response. */
export function createRequestId(): Step {
  return function requestId(exchange) {
    exchange.requestId = requestIdFrom(exchange.req.headers['x-request-id']);
    exchange.headers.push('X-Request-Id', exchange.requestId);
    return undefined;
  };
}
