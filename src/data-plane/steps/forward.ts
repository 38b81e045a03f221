import type { Awaitable } from '../../base/awaitable.ts';
import { ANSWERED, type Exchange, type StepResult, type Step } from '../exchange.ts';
import { BODY_TOO_LARGE, limitBody } from '../forwarding/body-limit.ts';
import { createRewrite } from '../forwarding/rewrite-request.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import type { ErrorStep } from '../run.ts';
import type { Upgrade } from '../websocket/upgrade.ts';

export interface ForwardSettings {
  readonly clientAddress: ClientAddress;
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly interrupt: ErrorStep['interrupt'];
  readonly upgrade: Upgrade;
  /** Lets an upstream write the response, without losing the headers of the gateway. */
  readonly protect: (exchange: Exchange) => void;
}

/** Hands the request to its upstream: the gateway's own headers and keys removed, the caller's identity added. */
export function createForward({ clientAddress, dropHeaders, interrupt, upgrade, protect }: ForwardSettings): Step {
  const rewrite = createRewrite(clientAddress, dropHeaders);
  return function forward(exchange): Awaitable<StepResult> {
    if (exchange.match.kind !== 'operation') throw new Error('forward comes after unmatched');
    const { route } = exchange.match;
    const { req, tunnel } = exchange;
    if (tunnel !== null) return upgrade(exchange, tunnel, () => rewrite(exchange, route));
    if (req.headers['transfer-encoding'] !== undefined) {
      if (req.readableLength > route.maxBodyBytes) return BODY_TOO_LARGE;
      limitBody(req, route.maxBodyBytes, () => interrupt(exchange, BODY_TOO_LARGE));
    }
    exchange.forwarded = true;
    const request = rewrite(exchange, route);
    protect(exchange);
    if (exchange.expectsContinue) exchange.res.writeContinue();
    exchange.forwardedAt = performance.now();
    const answered = route.upstream.handle(request, exchange.res);
    return answered instanceof Promise ? answered.then(() => ANSWERED) : ANSWERED;
  };
}
