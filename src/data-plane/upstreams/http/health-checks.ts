import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { Target } from './target.ts';

/** Minimum timeout of a check, in ms, even if the interval is shorter, because a slow response is not a failure. */
const MIN_TIMEOUT_MS = 1000;

export interface HealthCheckConfig {
  readonly path: string;
  /** ms */
  readonly every: number;
}

interface HealthCheckOptions extends HealthCheckConfig {
  /** The `Host` of the checks; null: the target's. */
  readonly host: string | null;
}

/**
 * Requests `path` from each target periodically. A target that does not respond with 2xx in time is taken out of rotation
 * until it does.
 *
 * @returns a function that stops the checks
 */
export function watchHealth(
  targets: readonly Target[],
  { path, every, host }: HealthCheckOptions,
  logger: Logger,
): () => void {
  const headers = host === null ? [] : ['Host', host];
  const stopController = new AbortController();

  const inProgress = new Set<Target>();

  async function check(target: Target): Promise<void> {
    // Only one check of a target runs at a time. Otherwise, a late response could override a newer one.
    if (inProgress.has(target)) return;
    inProgress.add(target);
    const isTargetHealthy = await isHealthy(target, {
      method: 'GET',
      path: target.basePath + path,
      headers,
      signal: AbortSignal.any([stopController.signal, AbortSignal.timeout(Math.max(every, MIN_TIMEOUT_MS))]),
      // Each check opens a connection, and so tests the current address and certificate.
      reset: true,
    });
    inProgress.delete(target);
    if (stopController.signal.aborted || isTargetHealthy === target.isHealthy) return;
    const isFirst = target.isHealthy === null;
    target.isHealthy = isTargetHealthy;
    if (isTargetHealthy) target.ejectedUntil = 0;
    if (isTargetHealthy && isFirst) return;
    if (isTargetHealthy) logger.info({ target: target.url }, 'target healthy');
    else logger.warn({ target: target.url }, 'target unhealthy');
  }

  const timer = setInterval(() => {
    for (const target of targets) void check(target);
  }, every);
  for (const target of targets) void check(target);
  return () => {
    stopController.abort();
    clearInterval(timer);
  };
}

async function isHealthy(
  { healthCheckConnection: checks }: Target,
  request: Dispatcher.RequestOptions,
): Promise<boolean> {
  try {
    const { statusCode, body } = await checks.request(request);
    await body.dump();
    return statusCode >= 200 && statusCode < 300;
  } catch {
    return false;
  }
}
