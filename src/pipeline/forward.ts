import { ANSWERED, type Outcome, type Step } from './exchange.ts';
import { limitBody } from './limit-body.ts';
import { createProtectHeaders } from './own-headers.ts';
import { createRewrite } from './rewrite-request.ts';
import type { ClientAddress } from './client-address.ts';
import type { ErrorStep } from './run.ts';

export interface ForwardSettings {
  readonly clientAddress: ClientAddress;
  readonly interrupt: ErrorStep['interrupt'];
  /** Whether the gateway answers for CORS. */
  readonly cors: boolean;
}

/** Hands the request to its upstream: cleaned of what is the gateway's, with who calls added. */
export function createForward({ clientAddress, interrupt, cors }: ForwardSettings): Step {
  const rewrite = createRewrite(clientAddress);
  const protectHeaders = createProtectHeaders(cors);
  return async function forward(exchange): Promise<Outcome> {
    if (exchange.match.kind !== 'operation') throw new Error('forward comes after unmatched');
    const { route } = exchange.match;
    const { req } = exchange;
    if (req.headers['transfer-encoding'] !== undefined) {
      limitBody(req, route.maxBody, () => interrupt(exchange, { code: 'body_too_large', close: true }));
    }
    exchange.forwarded = true;
    const request = rewrite(exchange, route);
    protectHeaders(exchange);
    if (exchange.expectsContinue) exchange.res.writeContinue();
    await route.upstream.handle(request, exchange.res);
    return ANSWERED;
  };
}
