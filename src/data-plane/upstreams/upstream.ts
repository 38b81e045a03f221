import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { KeyPair } from '../../http/reloaded-certificate.ts';
import type { UpstreamTrace } from '../../telemetry/traces/tracing.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { RequiredScopes } from '../../openapi/required-scopes.ts';
import type { RouteValidation } from '../validation/route-validation.ts';

/** A request as its upstream may see it. */
export interface UpstreamRequest {
  /** The consumer's request, with the body. Its head is unchanged until an adapter replaces it. */
  readonly req: IncomingMessage;
  /** Path and query, without the upstream's prefix. */
  readonly url: string;
  /**
   * The request's headers without secrets, with the caller's identity, as a flat list of names and values. `Host` is the
   * gateway's.
   */
  readonly headers: string[];
  /** Time limit until the upstream begins its response; null: the upstream's default. */
  readonly timeoutMs: number | null;
  /** Null unless the request is traced and sampled. */
  readonly trace: UpstreamTrace | null;
}

/** A service behind the gateway, in this process or elsewhere. */
export interface Upstream {
  readonly name: string;
  /**
   * Responds to the request. `res` protects the gateway's own headers. Settles when the upstream has finished with the
   * request. Rejects with an `UpstreamError` or, if the service runs in this process, with the error that it threw. If an
   * upstream fails after a part of its response was sent, the response is cut off.
   */
  handle(request: UpstreamRequest, res: ServerResponse): Promise<void> | void;
  /**
   * Takes over the connection of a WebSocket handshake; null if the service has no upgrades.
   *
   * @returns resolves when the service has responded; rejects with an `UpstreamError` if it fails to respond
   */
  readonly upgrade: ((request: UpstreamRequest, end: TunnelEnd) => Promise<void> | void) | null;
  /** Current state of its targets; null for a service in this process, because it has no targets. */
  readonly targets: (() => readonly TargetCondition[]) | null;
  /** Current numbers of connections to all its targets; null for a service in this process. */
  readonly connections: (() => UpstreamConnections) | null;
  /** The certificate that the gateway presents to the service; null without one. */
  readonly certificate: (() => KeyPair | null) | null;
  close(): Promise<void>;
}

/** One server of an upstream. */
export interface TargetCondition {
  readonly url: string;
  /** `unknown`: no health check has run. `away`: not used now, unless no other target is usable either. */
  readonly state: 'ready' | 'unknown' | 'away';
  /** The reason why the target is not ready, for operators; null if it is ready. */
  readonly cause: string | null;
  /** False if the last health check failed. Without health checks: false if the last attempt to connect failed. */
  readonly isUp: boolean;
}

/** Numbers of connections by state, without WebSockets, and number of requests that wait for a connection. */
export interface UpstreamConnections {
  readonly active: number;
  readonly idle: number;
  /** Connections with an event stream. */
  readonly stream: number;
  readonly waiting: number;
}

export function sumConnections(connections: readonly UpstreamConnections[]): UpstreamConnections {
  const sum = { active: 0, idle: 0, stream: 0, waiting: 0 };
  for (const { active, idle, stream, waiting } of connections) {
    sum.active += active;
    sum.idle += idle;
    sum.stream += stream;
    sum.waiting += waiting;
  }
  return sum;
}

/** The consumer's end of an upgraded connection. */
export interface TunnelEnd {
  readonly socket: Socket;
  /** Bytes that arrived after the request's head. */
  readonly head: Buffer;
  /** Gives the connection back, because the response is not an upgrade. Returns an ordinary response for it. */
  decline(): ServerResponse;
}

/** An operation, and the upstream of its requests. */
export interface Route {
  readonly operation: Operation;
  readonly upstream: Upstream;
  /** Keeps the service open, even if a reload removes it. @returns a function that releases the service */
  readonly hold: () => () => void;
  /** Prefix of the paths, removed before the request is forwarded. */
  readonly prefix: string;
  readonly maxBodyBytes: number;
  /** Whether `%2F` in a path is refused, or passed on. */
  readonly encodedSlashes: 'refuse' | 'pass';
  /** Null: requests are not checked against the OpenAPI document. */
  readonly validation: RouteValidation | null;
  /** The scopes that access tokens must have; null: none. */
  readonly requiredScopes: RequiredScopes | null;
}
