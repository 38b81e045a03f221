import { ANSWERED, type Outcome, type Step } from './exchange.ts';
import { protectHeaders } from './own-headers.ts';
import { createRewrite } from './rewrite-request.ts';
import type { ClientAddress } from './client-address.ts';

/** Hands the request to its upstream: cleaned of what is the gateway's, with who calls added. */
export function createForward(clientAddress: ClientAddress): Step {
  const rewrite = createRewrite(clientAddress);
  return async function forward(exchange): Promise<Outcome> {
    if (exchange.match.kind !== 'operation') throw new Error('forward comes after unmatched');
    const { upstream } = exchange.match.route;
    rewrite(exchange);
    protectHeaders(exchange);
    if (exchange.expectsContinue) exchange.res.writeContinue();
    exchange.forwardedAt = performance.now();
    await upstream.handle(exchange.req, exchange.res);
    return ANSWERED;
  };
}
