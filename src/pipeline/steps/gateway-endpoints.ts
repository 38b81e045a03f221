import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { BanView, Usage, WindowName } from '../../admission/decide.ts';
import type { AdmissionStore } from '../../admission/store.ts';
import { GATEWAY_PREFIX } from '../../base/gateway-prefix.ts';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import { ANSWERED, type Exchange, type StepResult, type Step } from '../exchange.ts';
import type { PushUsage } from '../http/rate-limit-headers.ts';
import { respond } from '../http/respond.ts';
import { refuseUnavailable } from '../unavailable.ts';

/** Calls per minute by one key to one process: plenty for a dashboard, too few to be a burden. */
const CALLS_PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

export interface GatewayEndpointsSettings {
  readonly store: AdmissionStore;
  readonly pushUsage: PushUsage;
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: object;
}

/** The gateway's own endpoints. They need a key but charge it nothing, and answer even if it is exhausted or banned. */
export function createGatewayEndpoints({ store, pushUsage, publicDocument }: GatewayEndpointsSettings): Step {
  const limiter = new RateLimiterMemory({ points: CALLS_PER_MINUTE, duration: WINDOW_SECONDS });
  const document = JSON.stringify(publicDocument);
  const bodies = new Map<string, (exchange: Exchange, usage: Usage) => string>([
    ['usage', (exchange, usage) => JSON.stringify(usageBody(exchange.credential?.plan ?? '', usage))],
    ['openapi.json', () => document],
  ]);

  return function gatewayEndpoints(exchange) {
    return exchange.path.startsWith(GATEWAY_PREFIX) ? answer(exchange) : undefined;
  };

  async function answer(exchange: Exchange): Promise<StepResult> {
    const { credential, req } = exchange;
    if (credential === null) throw new Error('the own endpoints come after authenticate');
    try {
      const usage = await store.inspect(credential.quotaId, credential.limits);
      pushUsage(exchange, usage);
      const body = bodies.get(exchange.path.slice(GATEWAY_PREFIX.length));
      if (body === undefined) return { code: 'route_not_found' };
      if (req.method !== 'GET' && req.method !== 'HEAD')
        return { code: 'method_not_allowed', headers: ['Allow', 'GET, HEAD'] };
      await limiter.consume(credential.quotaId);
      respond(exchange, 200, ['Content-Type', 'application/json', 'Cache-Control', 'no-store'], body(exchange, usage));
      return ANSWERED;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) return refuseUnavailable(error);
      // Clamped: the library subtracts wall-clock times, and the clock may have been corrected in between.
      const waitMs = Math.min(WINDOW_SECONDS * 1000, error.msBeforeNext);
      const message = `More than ${CALLS_PER_MINUTE} calls a minute of the gateway's own endpoints: wait for Retry-After.`;
      return { code: 'rate_limit_exceeded', message, headers: ['Retry-After', retryAfterSeconds(waitMs)] };
    }
  }
}

/** The usage of a key, in the terms of the API. */
export function usageBody(plan: string, usage: Usage) {
  return {
    plan,
    windows: (['minute', 'day'] as const).map((name) => windowBody(usage, name)),
    ban: banBody(usage.ban),
  };
}

function windowBody(usage: Usage, name: WindowName) {
  const { limit, used, remaining, resetAt } = usage[name];
  return { name, limit, used, remaining, resetsAt: new Date(resetAt).toISOString() };
}

function banBody(ban: BanView | null) {
  if (ban === null) return null;
  return {
    from: new Date(ban.from).toISOString(),
    until: new Date(ban.until).toISOString(),
    level: ban.level,
    manual: ban.manual,
  };
}
