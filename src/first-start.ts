import type { Logger } from 'pino';
import { type Clock, StoreUnavailable } from './admission/store.ts';
import type { Config } from './config/load.ts';
import { createDemoKey } from './demo.ts';
import type { Registry } from './registry/registry.ts';
import { retryUntilAvailable } from './retry.ts';

export interface FirstStart {
  /** The secret of the demo key, where this start made one. */
  readonly demoKey: string | null;
  /** Whether the registry was read, and has its plans. */
  readonly isDone: () => boolean;
  readonly stop: () => void;
}

/**
 * Gives an empty registry its plans, and a demo installation its key. A registry that does not answer yet gets its
 * plans as soon as it does; the key only at the next start, since by then there is nobody to show it to.
 */
export async function prepareRegistry(
  registry: Registry,
  { plans, demo }: Config,
  logger: Logger,
  clock: Clock,
): Promise<FirstStart> {
  let done = false;
  let waited = false;
  let demoKey: string | null = null;
  const { firstAttempt, stop } = retryUntilAvailable(
    async () => {
      const first = await registry.seedPlans(plans, { actor: 'system', reason: 'first start', at: clock() });
      // Of gateways that start at once, one makes it.
      if (demo && first && !waited) demoKey = await createDemoKey(registry, clock);
      done = true;
    },
    {
      onFailure(error) {
        if (error instanceof StoreUnavailable) logger.warn(`the registry cannot be read yet: ${error.message}`);
        else logger.error({ err: error }, 'the registry failed');
      },
      onRecovery: () => logger.info('the registry can be read now'),
    },
  );
  waited = !(await firstAttempt);
  return { demoKey, isDone: () => done, stop };
}
