import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { UpstreamError } from '../upstream-error.ts';
import type { Upstream, UpstreamRequest } from '../upstream.ts';
import { Balancer } from './balancer.ts';
import { failureOf } from './failure.ts';
import { watchHealth, type HealthSettings } from './health.ts';
import { Relay, type Progress } from './relay.ts';
import { hasBody, RequestBody } from './request-body.ts';
import { createRequestHeaders } from './request-headers.ts';
import { Target, type Timeouts } from './target.ts';
import { createHttpUpgrade } from './upgrade.ts';

export interface HttpSettings {
  readonly name: string;
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly health?: HealthSettings | undefined;
}

/** Safe methods (RFC 9110, 9.2.1): asking twice does no harm. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An upstream that is reached by HTTP, at one target or several. */
export function createHttpUpstream(settings: HttpSettings, logger: Logger): Upstream {
  const { name } = settings;
  const targets = settings.targets.map((url) => new Target(url, settings.timeouts));
  const balancer = new Balancer(targets);
  const headersFor = createRequestHeaders(settings.headers);
  const httpUpgrade = createHttpUpgrade(name, headersFor);
  const stopHealth = settings.health === undefined ? () => undefined : watchHealth(targets, settings.health, logger);

  function handle(request: UpstreamRequest, res: ServerResponse): Promise<void> {
    const headers = headersFor(request.headers);
    return new Promise((resolve, reject) => {
      send(balancer.pick(), true);

      function send(target: Target, mayRetry: boolean): void {
        target.load++;
        const relay = new Relay(
          res,
          settings.timeouts.idle,
          () => {
            target.load--;
            resolve();
          },
          (error, progress) => {
            target.load--;
            const failure = failureOf(error, progress, name);
            if (!progress.sent) noteUnreachable(target, error);
            const next = mayRetry ? nextTarget(target, request, progress, failure) : null;
            if (next === null) reject(failure);
            else send(next, false);
          },
        );
        target.pool.dispatch(optionsFor(target, request, headers), relay);
      }
    });
  }

  /** Where to send it once more, without sending twice what may have been acted on. */
  function nextTarget(
    failed: Target,
    { req }: UpstreamRequest,
    progress: Progress,
    { code }: UpstreamError,
  ): Target | null {
    if (!progress.sent) return balancer.hasOther(failed) ? balancer.pick(failed) : null;
    // The target closed a connection that was kept alive, just as it was used again.
    const lost = progress.reused && code === 'upstream_unreachable' && SAFE.has(req.method ?? '') && !hasBody(req);
    return lost ? failed : null;
  }

  function noteUnreachable(target: Target, error: Error): void {
    balancer.eject(target);
    logger.warn({ target: target.url, err: error }, 'target unreachable');
  }

  return {
    name,
    handle,
    async upgrade(request, end) {
      const target = balancer.pick();
      await httpUpgrade(target, request, end, request.timeout ?? settings.timeouts.response);
    },
    async close() {
      stopHealth();
      await Promise.all(targets.map(({ pool }) => pool.destroy()));
    },
  };
}

function optionsFor(
  target: Target,
  { req, url, timeout }: UpstreamRequest,
  headers: string[],
): Dispatcher.DispatchOptions {
  return {
    method: req.method ?? 'GET',
    path: target.basePath + url,
    headers,
    body: hasBody(req) ? new RequestBody(req) : null,
    headersTimeout: timeout,
  };
}
