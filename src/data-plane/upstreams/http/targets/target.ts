import type { Agent } from 'node:http';
import { type buildConnector, Pool } from 'undici';
import { connectionFactory } from '../connection.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { createTunnelAgent } from './tunnel-agent.ts';

/** ms */
export interface Timeouts {
  readonly connect: number;
  readonly response: number;
  readonly idle: number;
}

export interface TargetSettings {
  readonly timeouts: Timeouts;
  /** Connections to a target, not counting WebSockets and the one for health checks. */
  readonly maxConnections: number;
  /** Requests that may wait for a connection. */
  readonly maxWaiting: number;
}

/** How long a target is not used after connecting to it failed, in ms. */
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
  /** Prepended to the paths of requests; without a trailing slash. */
  readonly basePath: string;
  /** Requests in flight, requests that wait, and open WebSockets. */
  load = 0;
  /** The result of the last health check. */
  healthy = true;
  /** Until when it is not used, because connecting failed; ms, as `performance.now()`. */
  ejectedUntil = 0;

  /** @param connect opens the sockets */
  constructor(
    url: string,
    { timeouts, maxConnections, maxWaiting }: TargetSettings,
    connect: buildConnector.connector,
  ) {
    const parsed = new URL(url);
    const { origin } = parsed;
    this.url = url;
    this.basePath = parsed.pathname.replace(/\/+$/, '');
    const options: Pool.Options = {
      allowH2: false,
      headersTimeout: timeouts.response,
      bodyTimeout: timeouts.idle,
      factory: connectionFactory(connect),
    };
    this.pool = new Pool(origin, { ...options, connections: maxConnections });
    this.checks = new Pool(origin, { ...options, connections: 1 });
    this.tunnels = createTunnelAgent(parsed, connect);
    this.connections = new ConnectionLimit(maxConnections, maxWaiting);
  }

  /** Why it is not used now, for people; null if it is. */
  get failure(): string | null {
    if (!this.healthy) return 'its health check fails';
    return this.ejectedUntil > performance.now() ? 'it cannot be connected to' : null;
  }

  /** Leaves it out for a while, because it cannot be connected to. */
  eject(): void {
    this.ejectedUntil = performance.now() + EJECTION_MS;
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.checks.destroy()]);
  }
}
