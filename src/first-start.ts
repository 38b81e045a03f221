import type { Logger } from 'pino';
import { type Clock, StoreUnavailable } from './admission/store.ts';
import type { Config } from './config/load.ts';
import { PostgresUnavailable } from './database/postgres-errors.ts';
import { createDemoKey } from './demo.ts';
import { type PlanWatch, watchPlans } from './registry/plan-watch.ts';
import type { Registry } from './registry/registry.ts';
import { retryUntilAvailable } from './retry.ts';

export interface FirstStart {
  /** The secret of the demo key, where this start made one. */
  readonly demoKey: string | null;
  /** Whether the registry was read, and has its plans. */
  readonly isDone: () => boolean;
  /** Whether the registry had its plans, and has none now. */
  readonly hasLostPlans: () => boolean;
  readonly stop: () => void;
}

/**
 * Gives an empty registry its plans, and a demo installation its key. A registry that does not answer yet gets its
 * plans as soon as it does; but no key, since by then there is nobody to show it to. Nor is one made where the gateway
 * listens to more than this machine, as in a container: it would be a live key in a log that others read.
 */
export async function prepareRegistry(
  registry: Registry,
  { plans, demo, host }: Config,
  logger: Logger,
  clock: Clock,
): Promise<FirstStart> {
  let done = false;
  let waited = false;
  let stopped = false;
  let demoKey: string | null = null;
  let watch: PlanWatch | undefined;
  const { firstAttempt, stop: stopTrying } = retryUntilAvailable(
    async () => {
      const first = await registry.seedPlans(plans, { actor: 'system', reason: 'first start', at: clock() });
      // Of gateways that start at once, one makes it.
      if (demo && first && !waited) {
        if (isLoopback(host)) demoKey = await createDemoKey(registry, clock);
        else logger.info('no demo key is made, since this log would show it: make one with tollgate keys create');
      }
      done = true;
      if (!stopped) watch = watchPlans(registry, logger);
    },
    {
      onFailure(error) {
        // The database tells of itself.
        if (error instanceof PostgresUnavailable) return;
        if (error instanceof StoreUnavailable) logger.warn(`the registry cannot be read yet: ${error.message}`);
        else logger.error({ err: error }, 'the registry failed');
      },
      onRecovery: () => logger.info('the registry can be read now'),
    },
  );
  waited = !(await firstAttempt);
  return {
    demoKey,
    isDone: () => done,
    hasLostPlans: () => watch?.areLost() === true,
    stop() {
      stopped = true;
      stopTrying();
      watch?.stop();
    },
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[0-9.]+$/.test(host);
}
