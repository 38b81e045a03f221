import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { retryAfterSeconds } from '../../http/headers.ts';
import { GATEWAY_PREFIX } from '../../http/path-rules.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { Usage } from '../admission/quota-usage.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Credential } from '../../base/credential.ts';
import { ANSWERED, type Exchange, type Refusal, type StepResult } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run.ts';
import type { PushUsage } from '../exchange/rate-limit-headers.ts';
import { respond } from '../exchange/respond.ts';
import { refuseUnavailable } from '../exchange/unavailable.ts';

/** A call to one of the gateway's own endpoints, with a valid key. */
export interface EndpointCall {
  readonly credential: Credential;
  readonly usage: Usage;
  /** As sent, with its `?`; empty if there is none. */
  readonly query: string;
  /** The last segment of the path, if the endpoint takes one. */
  readonly parameter: string;
}

/** Responds with a body, as JSON text, or refuses. */
export type Endpoint = (call: EndpointCall) => Awaitable<string | Refusal>;

export interface FoundEndpoint {
  readonly answer: Endpoint;
  readonly parameter: string;
}

/** Finds one of the gateway's own endpoints by its path below `/_gateway/`. */
export type FindEndpoint = (path: string) => FoundEndpoint | undefined;

/** Calls per minute, per key and process: plenty for a dashboard, too few to be a burden. */
const CALLS_PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

export interface GatewayEndpointsDependencies {
  readonly findEndpoint: FindEndpoint;
  readonly store: AdmissionStore;
  readonly pushUsage: PushUsage;
}

/** The gateway's own endpoints. They need a key but cost it nothing, and respond even if it is exhausted or banned. */
export function createGatewayEndpoints({ findEndpoint, store, pushUsage }: GatewayEndpointsDependencies): ServeStep {
  const limiter = new RateLimiterMemory({ points: CALLS_PER_MINUTE, duration: WINDOW_SECONDS });

  return function gatewayEndpoints(exchange, credential) {
    if (credential === null || !exchange.path.startsWith(GATEWAY_PREFIX)) return undefined;
    return answer(exchange, credential);
  };

  async function answer(exchange: Exchange, credential: Credential): Promise<StepResult> {
    const { req } = exchange;
    try {
      const usage = await store.inspect(credential.quotaId, credential.limits);
      pushUsage(exchange, usage);
      const endpoint = findEndpoint(exchange.path.slice(GATEWAY_PREFIX.length));
      if (endpoint === undefined) return { code: 'route_not_found' };
      if (req.method !== 'GET' && req.method !== 'HEAD')
        return { code: 'method_not_allowed', headers: ['Allow', 'GET, HEAD'] };
      await limiter.consume(credential.quotaId);
      const { query } = exchange;
      return send(exchange, await endpoint.answer({ credential, usage, query, parameter: endpoint.parameter }));
    } catch (error) {
      return refusalOf(error);
    }
  }
}

function send(exchange: Exchange, result: string | Refusal): StepResult {
  if (typeof result !== 'string') return result;
  // The request was interrupted meanwhile.
  if (exchange.refusal !== null) return ANSWERED;
  respond(exchange, 200, ['Content-Type', 'application/json', 'Cache-Control', 'no-store'], result);
  return ANSWERED;
}

/** @throws the error itself, unless it means that the caller must wait */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof RateLimiterRes)) {
    return {
      ...refuseUnavailable(error),
      message: 'This cannot be answered at the moment. Try again after the time given in Retry-After.',
    };
  }
  // Clamped: the library subtracts wall-clock times, and the clock may have been corrected in between.
  const waitMs = Math.min(WINDOW_SECONDS * 1000, error.msBeforeNext);
  const message = `The gateway's own endpoints allow ${CALLS_PER_MINUTE} calls per minute. Wait for the time given in Retry-After.`;
  return { code: 'rate_limit_exceeded', message, headers: ['Retry-After', retryAfterSeconds(waitMs)] };
}
