import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { UpstreamTrace } from '../../telemetry/traces/tracing.ts';
import type { Operation } from '../../openapi/openapi.ts';

/** A request as its upstream may see it. */
export interface UpstreamRequest {
  /** Carries the body. Its own head is still the consumer's, until an adapter replaces it. */
  readonly req: IncomingMessage;
  /** Path and query, without the upstream's prefix. */
  readonly url: string;
  /** Flat `name, value` pairs, sanitized, with the caller's identity added. `Host` is the gateway's. */
  readonly headers: string[];
  /** How long the upstream may take to begin its answer; null: the upstream's default. */
  readonly timeoutMs: number | null;
  /** Null unless the request is traced and sampled. */
  readonly trace: UpstreamTrace | null;
}

/** A service behind the gateway, in this process or elsewhere. */
export interface Upstream {
  readonly name: string;
  /**
   * Answers the request; `res` protects the gateway's own headers. Settles when the upstream is done with the request.
   * Rejects with an `UpstreamError` (in this process, with whatever the service threw). A response that was partly sent
   * by then is cut off.
   */
  handle(request: UpstreamRequest, res: ServerResponse): Promise<void> | void;
  /**
   * Takes over the connection of a WebSocket handshake; null if the service has no upgrades.
   *
   * @returns settles once there is an answer; rejects with an `UpstreamError` if there will be none
   */
  readonly upgrade: ((request: UpstreamRequest, end: TunnelEnd) => Promise<void> | void) | null;
  /** How its targets are now; null for a service in this process, which has none. */
  readonly targets: (() => readonly TargetCondition[]) | null;
  close(): Promise<void>;
}

/** One server of an upstream. */
export interface TargetCondition {
  readonly url: string;
  /** Why it is not used now, for people; null if it is. */
  readonly failure: string | null;
}

/** The consumer's end of an upgraded connection. */
export interface TunnelEnd {
  readonly socket: Socket;
  /** Bytes that arrived after the request's head. */
  readonly head: Buffer;
  /** For an answer that is not an upgrade: returns the connection, and gets an ordinary response for it. */
  decline(): ServerResponse;
}

/** Where requests of an operation go. */
export interface Route {
  readonly operation: Operation;
  readonly upstream: Upstream;
  /** Prefix of the document's own paths, cut off before the request is forwarded. */
  readonly prefix: string;
  readonly maxBodyBytes: number;
}
