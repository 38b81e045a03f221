import type { Awaitable } from '../awaitable.ts';
import { ANSWERED, type Outcome, type Step } from './exchange.ts';
import { limitBody } from './limit-body.ts';
import { reservedNames } from './own-headers.ts';
import { createRewrite } from './rewrite-request.ts';
import type { ClientAddress } from './client-address.ts';
import type { ErrorStep } from './run.ts';
import type { Upgrade } from './upgrade.ts';

export interface ForwardSettings {
  readonly clientAddress: ClientAddress;
  /** Names of request headers that no service sees, or beginnings of names with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly errors: Pick<ErrorStep, 'interrupt' | 'fail'>;
  readonly upgrade: Upgrade;
  /** Whether the gateway answers for CORS. */
  readonly cors: boolean;
}

/** Hands the request to its upstream: cleaned of what is the gateway's, with who calls added. */
export function createForward({ clientAddress, dropHeaders, errors, upgrade, cors }: ForwardSettings): Step {
  const rewrite = createRewrite(clientAddress, dropHeaders);
  const reserved = reservedNames(cors);
  return function forward(exchange): Awaitable<Outcome> {
    if (exchange.match.kind !== 'operation') throw new Error('forward comes after unmatched');
    const { route } = exchange.match;
    const { req, tunnel } = exchange;
    if (tunnel !== null) return upgrade(exchange, tunnel, () => rewrite(exchange, route));
    if (req.headers['transfer-encoding'] !== undefined) {
      if (req.readableLength > route.maxBody) return { code: 'body_too_large', close: true };
      limitBody(req, route.maxBody, () => errors.interrupt(exchange, { code: 'body_too_large', close: true }));
    }
    exchange.forwarded = true;
    const request = rewrite(exchange, route);
    exchange.res.protect(exchange, reserved);
    // What an upstream does wrong with the response where nobody awaits it, such as writing after the end.
    exchange.res.on('error', (error) => errors.fail(exchange, error));
    if (exchange.expectsContinue) exchange.res.writeContinue();
    exchange.forwardedAt = performance.now();
    const answered = route.upstream.handle(request, exchange.res);
    return answered instanceof Promise ? answered.then(() => ANSWERED) : ANSWERED;
  };
}
