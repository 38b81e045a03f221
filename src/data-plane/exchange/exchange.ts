import type { IncomingMessage } from 'node:http';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Decision } from '../admission/decide.ts';
import type { Usage } from '../admission/quota-usage.ts';
import type { QuotaInFlight } from '../admission/requests-in-flight.ts';
import type { ErrorDetail } from '../../base/error-details.ts';
import type { CallErrorCode } from '../../domain/error-codes.ts';
import type { RequestTrace } from '../../telemetry/traces/request-trace.ts';
import type { Credential } from '../../domain/credential.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Match } from '../../openapi/operation-router.ts';
import type { GatewayResponse } from '../responses/response.ts';
import type { VerifiedToken } from '../tokens/token-verifier.ts';
import type { Tunnel } from '../websocket/tunnel.ts';

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_HEADERS: readonly string[] = [];

/**
 * One request and its response, with the results of the steps. The results are not stored on `req`, because an upstream
 * in this process receives `req` itself and must not see the gateway's internals.
 */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: GatewayResponse;
  /** `performance.now()`, in ms. */
  readonly startedAt = performance.now();
  /** When the request was passed to an upstream, in ms by `performance.now()`; 0 if it was not. */
  forwardedAt = 0;
  /** When the head of the upstream's response was written, in ms by `performance.now()`; 0 if it was not. */
  respondedAt = 0;
  requestId = '';
  /** Null if traces are off. */
  trace: RequestTrace | null = null;
  /** The normalized path of the request target. */
  path = '';
  /** The query of the request target as sent, with its `?`; empty if there is none. */
  query = '';
  match: Match<Route> = { kind: 'no_path' };
  credential: Credential | null = null;
  /** SHA-256 of the key that was sent; null if none was needed. */
  keyHash: string | null = null;
  /** The access token of the request, once it is verified; null if there is none. */
  token: VerifiedToken | null = null;
  /** The text of `token`. */
  tokenText = '';
  /** True if the key does not allow the caller's address. The response must then not show the limits of the key. */
  isFromDisallowedAddress = false;
  usage: Usage | null = null;
  /** Whether `headers` has the three rate-limit headers. */
  hasRateLimitHeaders = false;
  decision: Decision | null = null;
  /** The counter of requests in flight that includes this request until it has ended; null if it is not counted. */
  inFlight: QuotaInFlight | null = null;
  /**
   * Whether the quota already had as many requests in flight as `concurrent` allows. In shadow mode, such a request is
   * let through anyway.
   */
  isAboveConcurrent = false;
  /**
   * The gateway's own headers, as a flat list of names and values. Every response gets them, whichever step writes it.
   */
  readonly headers: string[] = [];
  /** Names, in lower case, of the lifecycle headers in `headers`. The upstream may send all other lifecycle headers. */
  ownLifecycleNames: ReadonlySet<string> = NO_NAMES;
  /** Why the gateway responded instead of the upstream. */
  refusal: CallErrorCode | null = null;
  /** Additional headers of the refusal, as a flat list of names and values. */
  refusalHeaders: readonly string[] = NO_HEADERS;
  /**
   * The kind of a request that the gateway itself responds to, in the same way for all callers and without counting it;
   * null for a call.
   */
  kind: 'preflight' | 'api_catalog' | 'protected_resource' | null = null;
  /** The connection, if the request is a WebSocket handshake. */
  readonly tunnel: Tunnel | null;
  /** Whether the request was passed to an upstream. */
  wasForwarded = false;
  /** Status of a response that an upstream wrote directly to the connection, as for a WebSocket; 0: none. */
  rawStatus = 0;
  /**
   * Whether the request no longer counts as running, because its response has ended or has become an event stream or
   * tunnel.
   */
  isReleased = false;
  /** True if the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  /** Whether `100 Continue` has been sent. */
  sentContinue = false;

  constructor(req: IncomingMessage, res: GatewayResponse, expectsContinue: boolean, tunnel: Tunnel | null = null) {
    this.req = req;
    this.res = res;
    this.expectsContinue = expectsContinue;
    this.tunnel = tunnel;
  }

  /** The route of the request. @throws Error before the step `unmatched`, which refuses requests without one */
  get route(): Route {
    if (this.match.kind !== 'operation') throw new Error('no operation matches the request');
    return this.match.route;
  }

  /** Status of the response; 0 if none was sent. */
  get status(): number {
    if (this.rawStatus !== 0) return this.rawStatus;
    return this.res.headersSent ? this.res.statusCode : 0;
  }
}

/** A step's decision to stop the request. The errors step turns the refusal into a response. */
export interface Refusal {
  readonly code: CallErrorCode;
  /** Replaces the code's usual message. */
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  /** Additional headers, as a flat list of names and values. */
  readonly headers?: readonly string[];
  /** Whether to close the connection, because it cannot be trusted after this request. */
  readonly close?: boolean;
}

/** The result of a step that has responded, or will. */
export const RESPONDED = 'answered';

/** The result of a step; undefined: continue with the next step. */
export type StepResult = Refusal | typeof RESPONDED | undefined;

/** One step of the request path. Returns a promise only if it must wait, because promises cost time. */
export type Step = (exchange: Exchange) => Awaitable<StepResult>;
