import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Operation } from './openapi.ts';

/** A request as its upstream may see it. */
export interface UpstreamRequest {
  /** For the body. Its own head is that of the consumer, until an adapter replaces it. */
  readonly req: IncomingMessage;
  /** Path and query, without the upstream's prefix. */
  readonly url: string;
  /** Flat `name, value` pairs: cleaned, with who calls. `Host` is the gateway's. */
  readonly headers: string[];
  /** How long the upstream may take to begin its answer, in ms; null for what is usual with it. */
  readonly timeout: number | null;
}

/** A service behind the gateway, in this process or elsewhere. */
export interface Upstream {
  readonly name: string;
  /**
   * Answers the request; `res` protects the headers that are the gateway's. Settles when the upstream is done with it.
   * Rejects with an `UpstreamError` (or, in this process, with whatever the service threw). If a part of the response
   * was sent by then, it is cut off.
   */
  handle(request: UpstreamRequest, res: ServerResponse): Promise<void> | void;
  /**
   * Takes over the connection of a WebSocket handshake; null where the service has no upgrades.
   *
   * @returns settles once there is an answer; rejects with an `UpstreamError` if there will be none
   */
  readonly upgrade: ((request: UpstreamRequest, end: TunnelEnd) => Promise<void> | void) | null;
  close(): Promise<void>;
}

/** The consumer's end of an upgraded connection. */
export interface TunnelEnd {
  readonly socket: Socket;
  /** What arrived behind the request's head. */
  readonly head: Buffer;
  /** For an answer that is no upgrade: gives the connection back, and takes a response like that of any request. */
  decline(): ServerResponse;
}

/** Where requests of an operation go. */
export interface Route {
  readonly operation: Operation;
  readonly upstream: Upstream;
  /** What comes before the document's own paths, and is cut off before the request is forwarded. */
  readonly prefix: string;
  /** Bytes. */
  readonly maxBody: number;
}
