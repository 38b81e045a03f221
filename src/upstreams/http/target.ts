import { buildConnector, Pool } from 'undici';
import { connectionFactory } from './connection.ts';
import { ConnectionLimit } from './connection-limit.ts';

/** ms */
export interface Timeouts {
  readonly connect: number;
  readonly response: number;
  readonly idle: number;
}

export interface TargetSettings {
  readonly timeouts: Timeouts;
  /** Connections that a target may have, besides WebSockets and that of the health checks. */
  readonly maxConnections: number;
  /** Requests that may wait for one of them. */
  readonly maxWaiting: number;
}

/** One server of an upstream, with its connections. */
export class Target {
  readonly url: string;
  readonly pool: Pool;
  /** Health checks have a connection of their own: they must not wait behind the requests. */
  readonly checks: Pool;
  readonly connections: ConnectionLimit;
  /** Comes before the paths of the requests; without a slash at its end. */
  readonly basePath: string;
  /** Requests in flight, those that wait, and open WebSockets. */
  load = 0;
  /** What the last health check said. */
  healthy = true;
  /** Not used before then, by `performance.now()`, because it could not be connected to. */
  ejectedUntil = 0;

  constructor(url: string, { timeouts, maxConnections, maxWaiting }: TargetSettings) {
    const { origin, pathname } = new URL(url);
    this.url = url;
    this.basePath = pathname.replace(/\/+$/, '');
    const options: Pool.Options = {
      allowH2: false,
      headersTimeout: timeouts.response,
      bodyTimeout: timeouts.idle,
      factory: connectionFactory(buildConnector({ timeout: timeouts.connect, allowH2: false })),
    };
    this.pool = new Pool(origin, { ...options, connections: maxConnections });
    this.checks = new Pool(origin, { ...options, connections: 1 });
    this.connections = new ConnectionLimit(maxConnections, maxWaiting);
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.checks.destroy()]);
  }
}
