import { chooseRequestId } from '../../http/headers.ts';
import type { Step } from '../exchange/exchange.ts';

/** Gives the request an id, and adds the id to the response. */
export function createRequestIdStep(): Step {
  return function requestId(exchange) {
    exchange.requestId = chooseRequestId(exchange.req.headers['x-request-id']);
    exchange.headers.push('X-Request-Id', exchange.requestId);
    return undefined;
  };
}
