import type { IncomingMessage } from 'node:http';
import type { Awaitable } from '../base/awaitable.ts';
import type { Decision, Usage } from '../admission/decide.ts';
import type { ErrorCode, ErrorDetail } from '../base/errors.ts';
import type { Credential } from '../registry/credential.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Match } from '../upstreams/router.ts';
import type { GatewayResponse } from './http/response.ts';
import type { Tunnel } from './websocket/tunnel.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * One request and its response, with what the steps find out about it. Kept beside `req`, not on it: an upstream in
 * this process is handed `req` itself, and must find nothing of the gateway's there.
 */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: GatewayResponse;
  /** `performance.now()`, in ms. */
  readonly startedAt = performance.now();
  /** When an upstream was handed the request, and when the head of its response was written; 0 for not yet. */
  forwardedAt = 0;
  respondedAt = 0;
  requestId = '';
  /** Of the request target, normalized; the query with its `?`, as sent. */
  path = '';
  query = '';
  match: Match<Route> = { kind: 'no_path' };
  credential: Credential | null = null;
  /** SHA-256 of the key that was sent; null where none was needed. */
  keyHash: string | null = null;
  usage: Usage | null = null;
  /** Whether `headers` has the rate-limit trio. */
  rateLimited = false;
  decision: Decision | null = null;
  /** The gateway's own headers, as flat `name, value` pairs: every answer carries them, whoever makes it. */
  readonly headers: string[] = [];
  /** Those of them that tell of the operation's life, in lower case: the upstream's where the gateway sends none. */
  ownLifecycle: ReadonlySet<string> = NONE;
  /** Why the gateway answered in place of the upstream. */
  refusal: ErrorCode | null = null;
  /** The operation needs no key, and none was sent; the address was charged instead. */
  public = false;
  /** The connection, where the request is a WebSocket handshake. */
  readonly tunnel: Tunnel | null;
  /** The connection is closed after this answer; what follows on it is not read. */
  closing = false;
  /** Whether an upstream has the request. */
  forwarded = false;
  /** Status of an answer that an upstream wrote to the connection itself, as it does for a WebSocket; 0: none. */
  rawStatus = 0;
  /** True where the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;

  constructor(req: IncomingMessage, res: GatewayResponse, expectsContinue: boolean, tunnel: Tunnel | null = null) {
    this.req = req;
    this.res = res;
    this.expectsContinue = expectsContinue;
    this.tunnel = tunnel;
  }

  /** Status of the answer; 0 where none was sent. */
  get status(): number {
    if (this.rawStatus !== 0) return this.rawStatus;
    return this.res.headersSent ? this.res.statusCode : 0;
  }
}

/** A step's word that the request goes no further; the errors step makes it a response. */
export interface Refusal {
  readonly code: ErrorCode;
  /** In place of the message in the table of errors. */
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  /** Flat `name, value` pairs. */
  readonly headers?: readonly string[];
  /** The connection cannot be trusted after this one. */
  readonly close?: boolean;
}

/** The step has answered, or will. */
export const ANSWERED = 'answered';

/** Nothing: go on with the next step. */
export type StepResult = Refusal | typeof ANSWERED | undefined;

/** One step of the request path. Answers at once where it can, and spares the path a promise. */
export type Step = (exchange: Exchange) => Awaitable<StepResult>;
