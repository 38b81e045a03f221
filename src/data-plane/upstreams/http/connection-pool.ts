import type { UpstreamConnections } from '../upstream.ts';
import type { TargetConnection } from './target-connection.ts';

/** Limits of the connections to a target, not counting WebSockets and health checks. */
export interface ConnectionLimits {
  /** Connections that are idle or have a request, except event streams. */
  readonly maxConnections: number;
  /** Requests that may wait for a connection. */
  readonly maxWaiting: number;
  /** Event streams. Each has a connection of its own. */
  readonly maxStreams: number;
  /** Age in ms after which a connection gets no further request. */
  readonly maxConnectionAge: number;
}

/**
 * The age limit of a connection is shortened at random by up to this fraction, so that connections are not all replaced
 * at once.
 */
const AGE_JITTER = 0.25;

/**
 * The connections to a target. A connection carries one request at a time; further requests queue (FIFO). A connection
 * that is too old is closed after its request, or immediately if it has none.
 */
export class ConnectionPool {
  readonly #limits: ConnectionLimits;
  readonly #create: () => TargetConnection;
  /**
   * Connections without a request. The one that was used last is reused first, so that connections that are not needed
   * can time out.
   */
  readonly #idle: TargetConnection[] = [];
  /** All connections that are not closed. */
  readonly #open = new Set<TargetConnection>();
  readonly #streams = new Set<TargetConnection>();
  readonly #waiting = new Set<(connection: TargetConnection) => void>();
  #active = 0;
  #isStarting = false;
  #isClosed = false;

  /** @param create creates a connection that connects for its first request */
  constructor(limits: ConnectionLimits, create: () => TargetConnection) {
    this.#limits = limits;
    this.#create = create;
  }

  get counts(): UpstreamConnections {
    return { active: this.#active, idle: this.#idle.length, stream: this.#streams.size, waiting: this.#waiting.size };
  }

  /** Whether a request would have to wait. */
  get isFull(): boolean {
    return this.#active >= this.#limits.maxConnections;
  }

  /** @returns a connection for one request, to give back with `release`; null if all connections are in use */
  take(): TargetConnection | null {
    if (this.isFull) return null;
    this.#active++;
    return this.#idle.pop() ?? this.#add();
  }

  /**
   * Waits for a connection.
   *
   * @param onConnection called with a connection, to give back with `release`
   * @param onExpired called if no connection became free within `timeoutMs`
   * @returns a function that stops waiting; null if too many are waiting already
   */
  wait(
    onConnection: (connection: TargetConnection) => void,
    onExpired: () => void,
    timeoutMs: number,
  ): (() => void) | null {
    if (this.#waiting.size >= this.#limits.maxWaiting) return null;
    const timer = setTimeout(() => {
      this.#waiting.delete(startRequest);
      onExpired();
    }, timeoutMs);
    const startRequest = (connection: TargetConnection) => {
      clearTimeout(timer);
      onConnection(connection);
    };
    this.#waiting.add(startRequest);
    return () => {
      clearTimeout(timer);
      this.#waiting.delete(startRequest);
    };
  }

  /**
   * Counts a connection as an event stream from now on. Event streams have their own limit, because they may take hours
   * and must not keep other requests waiting.
   *
   * @returns false if there are too many event streams
   */
  becomeStream(connection: TargetConnection): boolean {
    if (this.#streams.size >= this.#limits.maxStreams) return false;
    this.#streams.add(connection);
    this.#active--;
    this.#startWaiting();
    return true;
  }

  /** Takes a connection back. @param isReusable whether its request ended with a complete response */
  release(connection: TargetConnection, isReusable: boolean): void {
    if (!this.#streams.delete(connection)) this.#active--;
    // Event streams do not count toward `maxConnections`. The connection of a stream that ends is closed if keeping it
    // would exceed this limit.
    const isExtra = this.#active + this.#idle.length >= this.#limits.maxConnections;
    if (isReusable && connection.isFresh && !isExtra) this.#idle.push(connection);
    else this.#close(connection);
    this.#startWaiting();
  }

  /** Closes all connections. Running and waiting requests fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#open].map((connection) => connection.destroy()));
  }

  #startWaiting(): void {
    // A request that fails at its start calls `release` again. If many waiting requests fail like this, recursion would
    // exhaust the stack.
    if (this.#isStarting) return;
    this.#isStarting = true;
    for (const startRequest of this.#waiting) {
      const connection = this.take();
      if (connection === null) break;
      this.#waiting.delete(startRequest);
      startRequest(connection);
    }
    this.#isStarting = false;
  }

  #add(): TargetConnection {
    const connection = this.#create();
    let timer: NodeJS.Timeout | undefined;
    connection.on('connect', () => {
      connection.isFresh = true;
      const maxAgeMs = this.#limits.maxConnectionAge * (1 - Math.random() * AGE_JITTER);
      timer = setTimeout(() => this.#retire(connection), maxAgeMs).unref();
    });
    connection.on('disconnect', () => {
      clearTimeout(timer);
      this.#retire(connection);
    });
    this.#open.add(connection);
    // Requests after the pool was closed must fail.
    if (this.#isClosed) void connection.destroy();
    return connection;
  }

  #retire(connection: TargetConnection): void {
    connection.isFresh = false;
    const index = this.#idle.indexOf(connection);
    if (index === -1) return;
    this.#idle.splice(index, 1);
    this.#close(connection);
  }

  /** Closes a connection. If it has a request, it is closed after that. */
  #close(connection: TargetConnection): void {
    connection.close(() => this.#open.delete(connection));
  }
}
