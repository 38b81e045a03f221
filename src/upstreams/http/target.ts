import { Pool } from 'undici';
import { Connection } from './connection.ts';

export interface Timeouts {
  readonly connect: number;
  readonly response: number;
  readonly idle: number;
}

/** One server of an upstream, with its connections. */
export class Target {
  readonly url: string;
  readonly pool: Pool;
  /** Comes before the paths of the requests; without a slash at its end. */
  readonly basePath: string;
  /** Requests in flight. */
  load = 0;
  /** What the last health check said. */
  healthy = true;
  /** Not used before then, by `performance.now()`, because it could not be connected to. */
  ejectedUntil = 0;

  /** @param timeouts ms */
  constructor(url: string, timeouts: Timeouts) {
    const { origin, pathname } = new URL(url);
    this.url = url;
    this.basePath = pathname.replace(/\/+$/, '');
    this.pool = new Pool(origin, {
      connect: { timeout: timeouts.connect, allowH2: false },
      allowH2: false,
      headersTimeout: timeouts.response,
      bodyTimeout: timeouts.idle,
      factory: (at: URL, options: object) => new Connection(at, options),
    });
  }
}
