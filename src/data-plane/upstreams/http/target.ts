import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { type buildConnector, Pool } from 'undici';
import { withoutTrailingSlashes } from '../../../base/text.ts';
import type { TargetCondition } from '../upstream.ts';
import { connectionFactory } from './target-connection.ts';

/** ms */
interface Timeouts {
  readonly connect: number;
  readonly response: number;
  readonly idle: number;
}

export interface TargetOptions {
  readonly timeouts: Timeouts;
  /** Connections to a target, not counting WebSockets and the one for health checks. */
  readonly maxConnections: number;
  /** Requests that may wait for a connection. */
  readonly maxWaiting: number;
}

/** How long a target is left out after connecting to it failed, in ms. */
const EJECTION_MS = 5000;

/** One server of an upstream, and the connections to it. */
export class Target {
  readonly url: string;
  readonly pool: Pool;
  /** Health checks have their own connection, so that they do not queue behind requests. */
  readonly checks: Pool;
  /** WebSockets have connections of their own. */
  readonly tunnels: Agent;
  readonly connections: ConnectionLimit;
  /** Prefix for the paths of requests, without a trailing slash. */
  readonly basePath: string;
  /** Running requests, waiting requests, and open WebSockets. */
  load = 0;
  /** The result of the last health check; null: none has run. */
  healthy: boolean | null = null;
  /** Until when it is not used after a failed connection, in ms by `performance.now()`. */
  ejectedUntil = 0;
  #lastConnectFailed = false;

  /** @param connect opens the sockets */
  constructor(url: string, { timeouts, maxConnections, maxWaiting }: TargetOptions, connect: buildConnector.connector) {
    const parsed = new URL(url);
    const { origin } = parsed;
    this.url = url;
    this.basePath = withoutTrailingSlashes(parsed.pathname);
    const noted: buildConnector.connector = (to, done) => {
      connect(to, (...result) => {
        this.#lastConnectFailed = result[0] !== null;
        done(...result);
      });
    };
    const options: Pool.Options = {
      allowH2: false,
      headersTimeout: timeouts.response,
      bodyTimeout: timeouts.idle,
      factory: connectionFactory(noted),
    };
    this.pool = new Pool(origin, { ...options, connections: maxConnections });
    this.checks = new Pool(origin, { ...options, connections: 1 });
    this.tunnels = createTunnelAgent(parsed, noted);
    this.connections = new ConnectionLimit(maxConnections, maxWaiting);
  }

  /** If a target has no health checks, the absence of failures proves nothing: it may not have been called at all. */
  get condition(): TargetCondition {
    const { url } = this;
    if (this.healthy === false) return { url, state: 'away', cause: 'its health check fails', isUp: false };
    if (this.ejectedUntil > performance.now()) {
      return { url, state: 'away', cause: 'the gateway cannot connect to it', isUp: false };
    }
    if (this.healthy === true) return { url, state: 'ready', cause: null, isUp: true };
    const isUp = !this.#lastConnectFailed;
    const cause = isUp ? 'no health check has run' : 'the last connection to it failed, and no health check has run';
    return { url, state: 'unknown', cause, isUp };
  }

  /** Does not use it for a while, because connecting failed. */
  eject(): void {
    this.ejectedUntil = performance.now() + EJECTION_MS;
    this.#lastConnectFailed = true;
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.checks.destroy()]);
  }
}

/** Limits the concurrent requests to a target; the rest queue (FIFO), up to `maxWaiting`. */
class ConnectionLimit {
  readonly #maxConnections: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #starting = false;

  constructor(maxConnections: number, maxWaiting: number) {
    this.#maxConnections = maxConnections;
    this.#maxWaiting = maxWaiting;
  }

  /** @returns whether a connection was free; give it back with `release` */
  take(): boolean {
    if (this.#taken >= this.#maxConnections) return false;
    this.#taken++;
    return true;
  }

  /**
   * Waits for a free connection.
   *
   * @param start called with the connection taken; give it back with `release`
   * @param expired called if none became free within `timeoutMs`
   * @returns a function that stops waiting; null if too many are waiting already
   */
  wait(start: () => void, expired: () => void, timeoutMs: number): (() => void) | null {
    if (this.#waiting.size >= this.#maxWaiting) return null;
    const timer = setTimeout(() => {
      this.#waiting.delete(turn);
      expired();
    }, timeoutMs);
    const turn = () => {
      clearTimeout(timer);
      start();
    };
    this.#waiting.add(turn);
    return () => {
      clearTimeout(timer);
      this.#waiting.delete(turn);
    };
  }

  release(): void {
    this.#taken--;
    // A request that fails at its start calls `release` again. Recursion over a queue of those would exhaust the stack.
    if (this.#starting) return;
    this.#starting = true;
    for (const turn of this.#waiting) {
      if (!this.take()) break;
      this.#waiting.delete(turn);
      turn();
    }
    this.#starting = false;
  }
}

/** Connects WebSockets to a target like requests: with the same time limit and certificates. */
function createTunnelAgent(url: URL, connect: buildConnector.connector): Agent {
  const { protocol, host, port } = url;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const agent = protocol === 'https:' ? new TlsAgent() : new Agent();
  // Returns nothing, so that Node waits for the connection: a request without one has sent nothing.
  agent.createConnection = (_options, done) => {
    connect({ protocol, host, hostname, port }, (error, socket) => done?.(error, socket as never));
    return undefined;
  };
  return agent;
}
