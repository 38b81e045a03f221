import type { Health } from './control-plane/admin/probes.ts';
import type { FirstStart } from './control-plane/registry/first-start.ts';
import type { Storage } from './open/open-storage.ts';
import type { Shutdown } from './shutdown.ts';

/** How far the start has come. */
export interface Progress {
  firstStart: FirstStart | null;
}

/** What the readiness probe tells. */
export function healthOf({ firstStart }: Progress, shutdown: Shutdown, { counters, database }: Storage): Health {
  if (shutdown.isDraining) return 'draining';
  if (firstStart?.isDone() !== true) return 'starting';
  const isDegraded = counters.failure() !== null || database.state() !== 'up' || firstStart.hasLostPlans();
  return isDegraded ? 'degraded' : 'ready';
}
