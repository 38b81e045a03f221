import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from './pipeline/exchange.ts';

/**
 * Requests of one connection that may wait for their turn. Reading pauses while one waits, so only what Node has parsed
 * out of a single read (64 KiB) can come together, and that is less.
 */
const MAX_WAITING = 5000;

/** Runs something in the name of no request: that the one before has ended says nothing of the next. */
const outside = AsyncLocalStorage.snapshot();

/**
 * One client connection. Its requests are put to work one after the other, in the order in which they came: a client
 * that pipelines gets its answers in that order anyway (RFC 9112, 9.3.2), and cannot have a thousand of them at work at
 * the price of one connection.
 */
export class Connection {
  readonly socket: Socket;
  /** The latest request that was put to work. */
  exchange: Exchange | null = null;
  readonly #waiting: (() => void)[] = [];
  #lastCame = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Whether a request is at work or waits. */
  get isBusy(): boolean {
    return this.isAtWork() || this.#waiting.length > 0;
  }

  /** Whether everything that came is answered, and more may come. */
  get isFree(): boolean {
    return !this.isBusy && !this.isClosing;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the connection ends with what has come so far: nothing behind that is a request (RFC 9112, 9.6). */
  get isClosing(): boolean {
    return this.#lastCame || this.exchange?.closing === true;
  }

  isAtWork(): this is { readonly exchange: Exchange } {
    return this.exchange !== null && !this.exchange.res.closed;
  }

  /** Nothing that comes after this is a request. */
  markLast(): void {
    this.#lastCame = true;
  }

  /** Runs `begin` once everything that came before is answered; never, if the connection has ended by then. */
  inTurn(begin: () => void): void {
    if (!this.isBusy) return begin();
    if (this.#waiting.length === MAX_WAITING) return void this.socket.destroy();
    this.socket.pause();
    if (this.#waiting.push(begin) === 1) this.#awaitTurn();
  }

  #awaitTurn(): void {
    this.exchange?.res.once('close', this.#next);
  }

  readonly #next = (): void => {
    if (!this.socket.writable) {
      this.#waiting.length = 0;
      return;
    }
    const begin = this.#waiting.shift();
    if (begin !== undefined) outside(begin);
    if (this.#waiting.length > 0) this.#awaitTurn();
    else this.socket.resume();
  };
}

/** The connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** How many were ever accepted. */
  accepted = 0;
  /** How many were turned away because there were too many. */
  dropped = 0;
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted++;
      this.#open.set(socket, new Connection(socket));
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('drop', () => this.dropped++);
  }

  get size(): number {
    return this.#open.size;
  }

  /** How many have a request at work. */
  get busy(): number {
    let busy = 0;
    for (const connection of this.#open.values()) if (connection.isBusy) busy++;
    return busy;
  }

  /** Undefined for a connection that has ended. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  /** Notes that a request is put to work. */
  began(exchange: Exchange): void {
    const connection = this.#open.get(exchange.req.socket);
    if (connection !== undefined) connection.exchange = exchange;
    if (this.#closing && connection?.hasWaiting !== true) exchange.headers.push('Connection', 'close');
  }

  all(): IterableIterator<Connection> {
    return this.#open.values();
  }

  /** From now on the last answer on each connection tells its client to send nothing more there. */
  announceClose(): void {
    this.#closing = true;
    for (const connection of this.#open.values()) {
      if (!connection.isAtWork() || connection.hasWaiting) continue;
      const { exchange } = connection;
      // One whose head is sent can no longer tell.
      if (!exchange.res.headersSent) exchange.headers.push('Connection', 'close');
    }
  }
}
