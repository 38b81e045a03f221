import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Logger } from 'pino';
import type { buildConnector } from 'undici';
import { httpUrl } from '../../../base/target-urls.ts';
import { withoutTrailingSlashes } from '../../../base/text.ts';
import type { TargetCondition } from '../upstream.ts';
import { type ConnectionLimits, ConnectionPool } from './connection-pool.ts';
import { TargetConnection } from './target-connection.ts';

/** Time limits in ms. */
export interface Timeouts {
  readonly connect: number;
  /** Time limit for waiting for a free connection. */
  readonly wait: number;
  readonly response: number;
  readonly idle: number;
}

export interface TargetOptions extends ConnectionLimits {
  readonly timeouts: Timeouts;
  /** Maximum size in bytes of the head of a response. */
  readonly maxResponseHeader: number;
}

/** The setting whose limit caused a refusal. */
export type ReachedLimit = 'timeouts.wait' | 'maxWaiting' | 'maxStreams';

/**
 * Minimum time between two log lines about refusals of a target, in ms. Under load, a line for each refusal would only
 * add to the load.
 */
const BUSY_LOG_EVERY_MS = 10_000;
/** How long a target gets no requests after connecting to it failed, in ms. */
const EJECTION_MS = 5000;

/** One server of an upstream, and the connections to it. */
export class Target {
  /** The URL as configured. */
  readonly url: string;
  /** The URL for HTTP clients, which do not support URLs of Unix sockets. */
  readonly httpUrl: URL;
  readonly pool: ConnectionPool;
  /** Health checks have their own connection, so that they do not queue behind requests. */
  readonly healthCheckConnection: TargetConnection;
  /** WebSockets have connections of their own. */
  readonly tunnels: Agent;
  /** Prefix for the paths of requests, without a trailing slash. */
  readonly basePath: string;
  /** Running requests, waiting requests, and open WebSockets. */
  load = 0;
  /** The result of the last health check; null: none has run. */
  isHealthy: boolean | null = null;
  /** The target is out of rotation until this time, because connecting to it failed. In ms by `performance.now()`. */
  ejectedUntil = 0;
  #lastConnectFailed = false;
  #refusedSinceLogged = 0;
  #loggedBusyAt = Number.NEGATIVE_INFINITY;

  /** @param connect opens the sockets */
  constructor(url: string, options: TargetOptions, connect: buildConnector.connector) {
    const { timeouts, maxResponseHeader } = options;
    this.url = url;
    this.httpUrl = httpUrl(url);
    this.basePath = withoutTrailingSlashes(this.httpUrl.pathname);
    const origin = new URL(this.httpUrl.origin);
    const connectAndNote: buildConnector.connector = (to, done) => {
      connect(to, (...result) => {
        this.#lastConnectFailed = result[0] !== null;
        done(...result);
      });
    };
    const clientOptions = {
      allowH2: false,
      headersTimeout: timeouts.response,
      bodyTimeout: timeouts.idle,
      maxHeaderSize: maxResponseHeader,
    };
    const create = () => new TargetConnection(origin, clientOptions, connectAndNote);
    this.pool = new ConnectionPool(options, create);
    this.healthCheckConnection = create();
    this.tunnels = createTunnelAgent(this.httpUrl, connectAndNote);
  }

  /**
   * The current state of the target. Without health checks, the absence of failures proves nothing: the target may not
   * have been called at all.
   */
  get condition(): TargetCondition {
    const { url } = this;
    if (this.isHealthy === false) return { url, state: 'away', cause: 'its health check fails', isUp: false };
    if (this.ejectedUntil > performance.now()) {
      return { url, state: 'away', cause: 'the gateway cannot connect to it', isUp: false };
    }
    if (this.isHealthy === true) return { url, state: 'ready', cause: null, isUp: true };
    const isUp = !this.#lastConnectFailed;
    const cause = isUp ? 'no health check has run' : 'the last connection to it failed, and no health check has run';
    return { url, state: 'unknown', cause, isUp };
  }

  /** Takes the target out of rotation for a while, after connecting to it failed. */
  eject(): void {
    this.ejectedUntil = performance.now() + EJECTION_MS;
    this.#lastConnectFailed = true;
  }

  /** Logs that a request was refused, but at most once in `BUSY_LOG_EVERY_MS`. */
  reportBusy(limit: ReachedLimit, logger: Logger): void {
    this.#refusedSinceLogged++;
    if (performance.now() - this.#loggedBusyAt < BUSY_LOG_EVERY_MS) return;
    logger.warn({ target: this.url, limit, refused: this.#refusedSinceLogged }, 'target busy');
    this.#refusedSinceLogged = 0;
    this.#loggedBusyAt = performance.now();
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.healthCheckConnection.destroy()]);
  }
}

/** Connects WebSockets to a target like requests: with the same time limit and certificates. */
function createTunnelAgent(url: URL, connect: buildConnector.connector): Agent {
  const { protocol, host, port } = url;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const agent = protocol === 'https:' ? new TlsAgent() : new Agent();
  // Undefined makes Node wait for `done`. It would write to a returned socket before that is connected.
  agent.createConnection = (_options, done) => {
    connect({ protocol, host, hostname, port }, (error, socket) => done?.(error, socket as never));
    return undefined;
  };
  return agent;
}
