import type { ForeignKeyFormat } from '../../domain/key-format.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import { RESPONDED, type Exchange, type StepResult } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';
import { createRewriteRequest } from './rewrite-request.ts';
import type { Upgrade } from './websocket-upgrade.ts';
import type { IsTrustedProxy } from '../../http/addresses.ts';

interface ForwardOptions {
  readonly isTrustedProxy: IsTrustedProxy;
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly foreignKeys: readonly ForeignKeyFormat[];
  readonly upgrade: Upgrade;
  /** Lets an upstream write the response without losing the gateway's headers. */
  readonly protect: (exchange: Exchange) => void;
}

/** Passes the request to its upstream, without keys, and with headers that identify the caller. */
export function createForwardStep(options: ForwardOptions): ServeStep {
  const { isTrustedProxy, dropHeaders, foreignKeys, upgrade, protect } = options;
  const rewrite = createRewriteRequest(isTrustedProxy, dropHeaders, foreignKeys);
  return function forward(exchange): Awaitable<StepResult> {
    const { route, tunnel } = exchange;
    if (tunnel !== null) return upgrade(exchange, tunnel, route.upstream, () => rewrite(exchange, route));
    // The client has disconnected, and the request no longer counts as in flight.
    if (exchange.isReleased) return RESPONDED;
    exchange.wasForwarded = true;
    const request = rewrite(exchange, route);
    protect(exchange);
    if (exchange.expectsContinue && !exchange.sentContinue) exchange.res.writeContinue();
    exchange.forwardedAt = performance.now();
    const handling = route.upstream.handle(request, exchange.res);
    return handling instanceof Promise ? handling.then(() => RESPONDED) : RESPONDED;
  };
}
