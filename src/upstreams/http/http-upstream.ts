import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { UpstreamError, type UpstreamFailure } from '../upstream-error.ts';
import type { Upstream, UpstreamRequest } from '../upstream.ts';
import { Balancer } from './balancer.ts';
import { failureOf } from './failure.ts';
import { watchHealth, type HealthSettings } from './health.ts';
import { Relay, type Progress } from './relay.ts';
import { hasBody, RequestBody } from './request-body.ts';
import { createRequestHeaders } from './request-headers.ts';
import { Target, type TargetSettings } from './target.ts';
import { createHttpUpgrade } from './upgrade.ts';

export interface HttpSettings extends TargetSettings {
  readonly name: string;
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly health?: HealthSettings | undefined;
}

/** Safe methods (RFC 9110, 9.2.1): asking twice does no harm. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An upstream that is reached by HTTP, at one target or several. */
export function createHttpUpstream(settings: HttpSettings, logger: Logger): Upstream {
  const { name, timeouts } = settings;
  const targets = settings.targets.map((url) => new Target(url, settings));
  const balancer = new Balancer(targets);
  const headersFor = createRequestHeaders(settings.headers);
  const httpUpgrade = createHttpUpgrade(name, headersFor, timeouts.idle);
  const stopHealth = settings.health === undefined ? () => undefined : watchHealth(targets, settings.health, logger);

  function handle(request: UpstreamRequest, res: ServerResponse): Promise<void> {
    const headers = headersFor(request.headers);
    return new Promise((resolve, reject) => {
      attempt(balancer.pick(), true);

      function attempt(target: Target, mayRetry: boolean): void {
        // There would be nobody to tell the answer.
        if (res.destroyed) return resolve();
        target.load++;
        if (target.connections.take()) send(target, mayRetry, request.timeout);
        else wait(target, mayRetry, request.timeout ?? timeouts.response);
      }

      /** @param timeoutMs for the wait and the answer together */
      function wait(target: Target, mayRetry: boolean, timeoutMs: number): void {
        const since = performance.now();
        const start = () => {
          res.off('close', left);
          send(target, mayRetry, Math.max(1, Math.round(timeoutMs - (performance.now() - since))));
        };
        const refuse = (code: UpstreamFailure) => {
          res.off('close', left);
          target.load--;
          reject(new UpstreamError(code, name));
        };
        const leave = target.connections.wait(start, () => refuse('upstream_timeout'), timeoutMs);
        const left = () => {
          leave?.();
          target.load--;
          resolve();
        };
        if (leave === null) refuse('overloaded');
        else res.once('close', left);
      }

      /** @param timeoutMs null: as long as usual */
      function send(target: Target, mayRetry: boolean, timeoutMs: number | null): void {
        const over = () => {
          target.load--;
          target.connections.release();
        };
        const relay = new Relay(
          res,
          () => {
            over();
            resolve();
          },
          (error, progress) => {
            over();
            const failure = failureOf(error, progress.answered, name);
            if (!progress.sent) noteUnreachable(target, error);
            const next = mayRetry ? nextTarget(target, request, progress, failure) : null;
            if (next === null) reject(failure);
            else attempt(next, false);
          },
        );
        target.pool.dispatch(optionsFor(target, request, headers, timeoutMs), relay);
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
      target.load++;
      end.socket.once('close', () => target.load--);
      await httpUpgrade(target, request, end, request.timeout ?? timeouts.response);
    },
    async close() {
      stopHealth();
      await Promise.all(targets.map((target) => target.close()));
    },
  };
}

function optionsFor(
  target: Target,
  { req, url }: UpstreamRequest,
  headers: string[],
  headersTimeout: number | null,
): Dispatcher.DispatchOptions {
  return {
    method: req.method ?? 'GET',
    path: target.basePath + url,
    headers,
    body: hasBody(req) ? new RequestBody(req) : null,
    headersTimeout,
  };
}
