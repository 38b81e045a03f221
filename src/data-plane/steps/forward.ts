import type { ForeignKeyFormat } from '../../domain/key-format.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import { RESPONDED, type Exchange, type StepResult } from '../exchange/exchange.ts';
import type { ErrorStep, ServeStep } from '../exchange/run-steps.ts';
import { BODY_TOO_LARGE, declaresTooMuch, limitBody } from './body-limit.ts';
import { createRewrite } from './rewrite-request.ts';
import type { Upgrade } from './websocket-upgrade.ts';
import type { IsTrustedProxy } from '../../http/addresses.ts';

interface ForwardOptions {
  readonly isTrustedProxy: IsTrustedProxy;
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly foreignKeys: readonly ForeignKeyFormat[];
  readonly interrupt: ErrorStep['interrupt'];
  readonly upgrade: Upgrade;
  /** Lets an upstream write the response without losing the gateway's headers. */
  readonly protect: (exchange: Exchange) => void;
}

/**
 * Passes the request to its upstream, without keys, and with headers that identify the caller. Requests that no operation
 * accepts are refused only here, after authentication and counting: strangers must not be able to discover the
 * operations by their 404s, and a client in a loop must not escape its limits.
 */
export function createForward(options: ForwardOptions): ServeStep {
  const { isTrustedProxy, dropHeaders, foreignKeys, interrupt, upgrade, protect } = options;
  const rewrite = createRewrite(isTrustedProxy, dropHeaders, foreignKeys);
  return function forward(exchange): Awaitable<StepResult> {
    const { match, req, tunnel } = exchange;
    if (match.kind === 'no_path') return { code: 'route_not_found' };
    if (match.kind === 'no_method') return { code: 'method_not_allowed', headers: ['Allow', match.allow] };
    const { route } = match;
    if (declaresTooMuch(req, route.maxBodyBytes)) return BODY_TOO_LARGE;
    if (tunnel !== null) return upgrade(exchange, tunnel, route.upstream, () => rewrite(exchange, route));
    // The client has disconnected, and the request no longer counts as in flight.
    if (exchange.isReleased) return RESPONDED;
    if (req.headers['transfer-encoding'] !== undefined) {
      if (req.readableLength > route.maxBodyBytes) return BODY_TOO_LARGE;
      limitBody(req, route.maxBodyBytes, () => interrupt(exchange, BODY_TOO_LARGE));
    }
    exchange.wasForwarded = true;
    const request = rewrite(exchange, route);
    protect(exchange);
    if (exchange.expectsContinue) exchange.res.writeContinue();
    exchange.forwardedAt = performance.now();
    const answered = route.upstream.handle(request, exchange.res);
    return answered instanceof Promise ? answered.then(() => RESPONDED) : RESPONDED;
  };
}
