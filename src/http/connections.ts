import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { findConnectionEvent } from './http-server.ts';

/**
 * Maximum number of waiting requests on one connection. Never reached in practice: reading pauses while a request waits,
 * and fewer requests than this fit into a single read (64 KiB).
 */
const MAX_WAITING = 5000;

/**
 * Runs a function outside any request's async context. Otherwise, a waiting request would run in the context of the
 * request before it.
 */
const runOutsideRequest = AsyncLocalStorage.snapshot();

/** A request that has started, and its response. */
interface StartedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** One client connection. */
export class Connection<Request extends StartedRequest = StartedRequest> {
  readonly socket: Socket;
  /** The last request that has started. */
  latestRequest: Request | null = null;
  readonly #waiting: (() => void)[] = [];
  #lastReceived = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Whether a request is running or waiting. */
  get isBusy(): boolean {
    return this.isServing() || this.#waiting.length > 0;
  }

  /** Whether there is no running or waiting request, and another may arrive. */
  get isFree(): boolean {
    return !this.isBusy && !this.isClosing;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether all further input is ignored, because the connection is about to close (RFC 9112, 9.6). */
  get isClosing(): boolean {
    return this.#lastReceived || this.latestRequest?.res.shouldKeepAlive === false;
  }

  isServing(): this is { readonly latestRequest: Request } {
    return this.latestRequest !== null && !this.latestRequest.res.closed;
  }

  /** Declares that no further input will be served. */
  markLast(): void {
    this.#lastReceived = true;
  }

  /**
   * Runs `begin` after the responses to all earlier requests; never, if the connection has ended by then. Otherwise, a
   * client could run a thousand requests at the same time over one connection. Clients that pipeline expect the responses
   * in this order anyway (RFC 9112, 9.3.2).
   */
  runInTurn(begin: () => void): void {
    if (!this.isBusy) return begin();
    if (this.#waiting.length === MAX_WAITING) return void this.socket.destroy();
    this.socket.pause();
    if (this.#waiting.push(begin) === 1) this.#awaitTurn();
  }

  #awaitTurn(): void {
    this.latestRequest?.res.once('close', this.#next);
  }

  readonly #next = (): void => {
    if (!this.socket.writable) {
      this.#waiting.length = 0;
      return;
    }
    const begin = this.#waiting.shift();
    if (begin !== undefined) runOutsideRequest(begin);
    if (this.#waiting.length > 0) this.#awaitTurn();
    else this.socket.resume();
  };
}

/** The open connections of a server. */
export class Connections<Request extends StartedRequest = StartedRequest> {
  readonly #open = new Map<Socket, Connection<Request>>();
  /** Number of connections accepted since the start. */
  accepted = 0;
  /** Number of connections refused because there were too many. */
  dropped = 0;
  #closing = false;

  constructor(server: Server) {
    server.on(findConnectionEvent(server), (socket: Socket) => {
      this.accepted++;
      this.#open.set(socket, new Connection(socket));
      socket.once('close', () => {
        this.#open.delete(socket);
        // A service can emit `close` on an open socket. No later request on that socket would be served, so it is
        // destroyed.
        socket.destroy();
      });
    });
    server.on('drop', () => this.dropped++);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Number of connections with a running or waiting request. */
  get busy(): number {
    let busy = 0;
    for (const connection of this.#open.values()) if (connection.isBusy) busy++;
    return busy;
  }

  /** @returns undefined if the connection has ended */
  get(socket: Socket): Connection<Request> | undefined {
    return this.#open.get(socket);
  }

  /** Records that a request has started. */
  recordStart(request: Request): void {
    const connection = this.#open.get(request.req.socket);
    if (connection !== undefined) connection.latestRequest = request;
    if (this.#closing && connection?.hasWaiting !== true) request.res.shouldKeepAlive = false;
  }

  list(): IterableIterator<Connection<Request>> {
    return this.#open.values();
  }

  /** Makes the last response on each connection say `Connection: close`. */
  announceClose(): void {
    this.#closing = true;
    for (const connection of this.#open.values()) {
      // If the head of the response has been sent, it is too late for the header.
      if (!connection.isServing() || connection.hasWaiting || connection.latestRequest.res.headersSent) continue;
      connection.latestRequest.res.shouldKeepAlive = false;
    }
  }
}
