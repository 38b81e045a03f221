import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type CallUsage, CallLimiter } from '../../http/call-limiter.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import { chooseAcceptedForm, includesTag, StoredText } from '../../http/stored-text.ts';
import { GATEWAY_PREFIX } from '../../http/path-rules.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { Usage } from '../admission/quota-usage.ts';
import { MINUTE_MS } from '../../base/time.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Credential } from '../../domain/credential.ts';
import { RESPONDED, type Exchange, type Refusal, type StepResult } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';
import type { PushUsageHeaders } from '../exchange/push-usage.ts';
import { respond, respondWithoutBody } from '../exchange/respond.ts';
import type { TryItConnections } from '../credentials/try-it-connections.ts';
import { BODY_TOO_LARGE, isDeclaredTooLarge } from './body-limit.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import { toUnavailableRefusal } from '../exchange/unavailable.ts';

/** A call to one of the gateway's own endpoints, with a valid key. */
export interface EndpointCall {
  readonly credential: Credential;
  readonly usage: Usage;
  /** The query as sent, with its `?`; empty if there is none. */
  readonly query: string;
  /** The last segment of the path, if the endpoint takes a parameter; otherwise empty. */
  readonly parameter: string;
}

/** Returns the body of the response, or a refusal. A string is JSON. A `StoredText` has an entity tag and is compressed. */
export type Endpoint = (call: EndpointCall) => Awaitable<string | StoredText | Refusal>;

export interface FoundEndpoint {
  readonly handle: Endpoint;
  readonly parameter: string;
}

/** Handles a `POST` that changes something. `body` is a short text. Returns JSON, or a refusal. */
export type Action = (call: { readonly credential: Credential; readonly body: string }) => Awaitable<string | Refusal>;

export interface FoundAction {
  readonly act: Action;
}

/** Finds one of the gateway's own endpoints by its path below `/_gateway/`. */
export type FindEndpoint = (path: string) => FoundEndpoint | FoundAction | undefined;

/** Maximum number of calls per minute, by quota and process. Enough for a dashboard, but too few to be a burden. */
const CALLS_PER_MINUTE = 60;
const FAILED_ACTIONS_PER_MINUTE = 10;
const MAX_ACTION_BYTES = 4096;

/**
 * Limiters for calls to the gateway's own endpoints. They outlive a reload, so that it does not reset the counts.
 */
export interface EndpointLimiters {
  /** Counts calls by quota. */
  readonly calls: CallLimiter;
  /** Counts failed actions by key, because another key of the same quota must not use up the limit. */
  readonly failedActions: CallLimiter;
}

export function createEndpointLimiters(): EndpointLimiters {
  return {
    calls: new CallLimiter({ limit: CALLS_PER_MINUTE, withinMs: MINUTE_MS }),
    failedActions: new CallLimiter({ limit: FAILED_ACTIONS_PER_MINUTE, withinMs: MINUTE_MS }),
  };
}

interface GatewayEndpointsDependencies {
  readonly findEndpoint: FindEndpoint;
  readonly store: AdmissionStore;
  readonly pushUsage: PushUsageHeaders;
  readonly tryItConnections: TryItConnections;
  readonly failedAttempts: FailedAttempts;
  readonly endpointLimiters: EndpointLimiters;
}

/**
 * Serves the gateway's own endpoints. They need a key, but calls are not charged, and they respond even if the key is
 * exhausted or banned.
 */
export function createGatewayEndpointsStep({
  findEndpoint,
  store,
  pushUsage,
  tryItConnections,
  failedAttempts,
  endpointLimiters: endpointLimits,
}: GatewayEndpointsDependencies): ServeStep {
  return function gatewayEndpoints(exchange, credential) {
    if (credential === null || !exchange.path.startsWith(GATEWAY_PREFIX)) return undefined;
    const endpoint = findEndpoint(exchange.path.slice(GATEWAY_PREFIX.length));
    const isAction = endpoint !== undefined && 'act' in endpoint;
    if (isAction && exchange.req.method === 'POST') return performAction(exchange, credential, endpoint.act);
    return handleEndpoint(exchange, credential, endpoint);
  };

  /** Actions do not use the counters, so that they also work while the store of counters is unavailable. */
  async function performAction(exchange: Exchange, credential: Credential, act: Action): Promise<StepResult> {
    const { req } = exchange;
    if (tryItConnections.findKeyHash(req.socket) !== undefined) return NOT_FROM_PORTAL;
    try {
      const body = await readSmallBody(exchange);
      const result = typeof body === 'string' ? await act({ credential, body }) : body;
      if (typeof result === 'string' || result?.code === 'store_unavailable') return send(exchange, result);
      // If the key does not allow this address, every failure gets the same refusal. A different refusal would show
      // that the key is valid, and would not be counted.
      if (exchange.isFromDisallowedAddress) return await failedAttempts.refuseAddress(exchange, credential);
      if (result === null) return RESPONDED;
      // Only failures of the caller are counted and limited. Otherwise, a thief who has the secret could use up the
      // limit, and so block the call that revokes the key.
      const failureUsage = await endpointLimits.failedActions.charge(credential.keyId);
      return failureUsage.exceeded ? createTooManyCallsRefusal(failureUsage) : result;
    } catch (error) {
      return toRefusal(error);
    }
  }

  async function handleEndpoint(
    exchange: Exchange,
    credential: Credential,
    endpoint: FoundEndpoint | FoundAction | undefined,
  ): Promise<StepResult> {
    const { req } = exchange;
    try {
      // This check comes first, because everything below costs something.
      const callUsage = await endpointLimits.calls.charge(credential.quotaId);
      if (callUsage.exceeded) return createTooManyCallsRefusal(callUsage);
      if (endpoint !== undefined && 'act' in endpoint)
        return { code: 'method_not_allowed', headers: ['Allow', 'POST'] };
      const usage = await store.inspect(credential.quotaId, credential.limits);
      pushUsage(exchange, usage);
      if (endpoint === undefined) return { code: 'route_not_found' };
      if (req.method !== 'GET' && req.method !== 'HEAD')
        return { code: 'method_not_allowed', headers: ['Allow', 'GET, HEAD'] };
      const { query } = exchange;
      const result = await endpoint.handle({ credential, usage, query, parameter: endpoint.parameter });
      return result instanceof StoredText ? await sendStored(exchange, result) : send(exchange, result);
    } catch (error) {
      return toRefusal(error);
    }
  }
}

const NOT_FROM_PORTAL: Refusal = {
  code: 'operation_not_allowed',
  message: 'This cannot be called from the portal, which has actions of its own.',
};
const NOT_TEXT: Refusal = { code: 'validation_failed', details: [{ path: '/', message: 'must be JSON in UTF-8' }] };

/**
 * Reads a short body.
 *
 * @returns a refusal if the body is not valid; null if the client has disconnected, or the request was interrupted
 */
async function readSmallBody({ req, res, expectsContinue }: Exchange): Promise<string | Refusal | null> {
  if (isDeclaredTooLarge(req, MAX_ACTION_BYTES)) return BODY_TOO_LARGE;
  if (expectsContinue) res.writeContinue();
  // After an interruption, all data is discarded, so the end of the body would never come. The end of the response
  // stops the wait.
  const responseClosed = new Promise<null>((resolve) => void res.once('close', () => resolve(null)));
  return Promise.race([collectBody(req), responseClosed]);
}

async function collectBody(req: IncomingMessage): Promise<string | Refusal | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The request must not be destroyed: that would close the connection before the refusal is sent.
    const body: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_ACTION_BYTES) return BODY_TOO_LARGE;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString() : NOT_TEXT;
}

async function sendStored(exchange: Exchange, stored: StoredText): Promise<StepResult> {
  const { req } = exchange;
  // The text depends on the key, and may change with any reload.
  const headers = ['Cache-Control', 'private, no-cache', 'Vary', 'Accept-Encoding', 'ETag', stored.tag];
  if (exchange.refusal === null && includesTag(req.headers['if-none-match'], stored.tag)) {
    respondWithoutBody(exchange, 304, headers);
    return RESPONDED;
  }
  const { body, coding } = await chooseAcceptedForm(req, stored);
  // The request has been interrupted in the meantime.
  if (exchange.refusal !== null) return RESPONDED;
  if (coding !== undefined) headers.push('Content-Encoding', coding);
  respond(exchange, 200, ['Content-Type', stored.contentType, ...headers], body);
  return RESPONDED;
}

function send(exchange: Exchange, result: string | Refusal): StepResult {
  if (typeof result !== 'string') return result;
  // The request has been interrupted in the meantime.
  if (exchange.refusal !== null) return RESPONDED;
  respond(exchange, 200, ['Content-Type', 'application/json', 'Cache-Control', 'no-store'], result);
  return RESPONDED;
}

/** @throws `error` itself, unless it says that the store or the registry is unavailable */
function toRefusal(error: unknown): Refusal {
  return {
    ...toUnavailableRefusal(error),
    message: 'This cannot be answered at the moment. Try again after the time given in Retry-After.',
  };
}

function createTooManyCallsRefusal({ limit, waitMs }: CallUsage): Refusal {
  const message = `The gateway's own endpoints allow ${limit} calls per minute. Wait for the time given in Retry-After.`;
  return { code: 'rate_limit_exceeded', message, headers: ['Retry-After', formatRetryAfter(waitMs)] };
}
