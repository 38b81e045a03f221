import type { ClientAddress } from '../../http/addresses.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import { ANSWERED, type Exchange, type StepResult } from '../exchange/exchange.ts';
import { BODY_TOO_LARGE, declaresTooMuch, limitBody } from '../forwarding/body-limit.ts';
import { createRewrite } from '../forwarding/rewrite-request.ts';
import type { ErrorStep, ServeStep } from '../exchange/run.ts';
import type { Upgrade } from './upgrade.ts';

export interface ForwardSettings {
  readonly clientAddress: ClientAddress;
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly interrupt: ErrorStep['interrupt'];
  readonly upgrade: Upgrade;
  /** Lets an upstream write the response, without losing the headers of the gateway. */
  readonly protect: (exchange: Exchange) => void;
}

/**
 * Hands the request to its upstream: the gateway's own headers and keys removed, the caller's identity added. What no
 * operation takes is refused only here, after it was authenticated and counted: a stranger cannot map the API by its
 * 404s, and a client in a loop does not escape its limits.
 */
export function createForward({ clientAddress, dropHeaders, interrupt, upgrade, protect }: ForwardSettings): ServeStep {
  const rewrite = createRewrite(clientAddress, dropHeaders);
  return function forward(exchange): Awaitable<StepResult> {
    const { match, req, tunnel } = exchange;
    if (match.kind === 'no_path') return { code: 'route_not_found' };
    if (match.kind === 'no_method') return { code: 'method_not_allowed', headers: ['Allow', match.allow] };
    const { route } = match;
    if (declaresTooMuch(req, route.maxBodyBytes)) return BODY_TOO_LARGE;
    if (tunnel !== null) return upgrade(exchange, tunnel, route.upstream, () => rewrite(exchange, route));
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
