import type { Logger } from 'pino';
import type { Target } from './target.ts';

/** How long a check may take at least, in ms: one that is late is not a failure. */
const PATIENCE_MS = 1000;

export interface HealthSettings {
  readonly path: string;
  /** ms */
  readonly every: number;
}

/**
 * Asks each target for `path` again and again; one that does not answer 2xx in time is not used until it does.
 *
 * @returns stops it
 */
export function watchHealth(targets: readonly Target[], { path, every }: HealthSettings, logger: Logger): () => void {
  const stopped = new AbortController();

  const asking = new Set<Target>();

  async function check(target: Target): Promise<void> {
    // One at a time, or a late answer would win over a newer one.
    if (asking.has(target)) return;
    asking.add(target);
    const healthy = await isHealthy(
      target,
      path,
      AbortSignal.any([stopped.signal, AbortSignal.timeout(Math.max(every, PATIENCE_MS))]),
    );
    asking.delete(target);
    if (stopped.signal.aborted || healthy === target.healthy) return;
    target.healthy = healthy;
    if (healthy) target.ejectedUntil = 0;
    logger[healthy ? 'info' : 'warn']({ target: target.url }, healthy ? 'target healthy' : 'target unhealthy');
  }

  const timer = setInterval(() => {
    for (const target of targets) void check(target);
  }, every);
  for (const target of targets) void check(target);
  return () => {
    stopped.abort();
    clearInterval(timer);
  };
}

async function isHealthy({ checks, basePath }: Target, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { statusCode, body } = await checks.request({ method: 'GET', path: basePath + path, signal });
    await body.dump();
    return statusCode >= 200 && statusCode < 300;
  } catch {
    return false;
  }
}
