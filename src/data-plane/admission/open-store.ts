import { join } from 'node:path';
import { banPolicyOf } from '../../config/sections/plan-settings.ts';
import { COUNTERS_FILE, openCounters } from '../../storage/sqlite/counters.ts';
import { createEmbeddedStore } from './embedded/embedded-store.ts';
import { lockWait } from '../../open/lock-wait.ts';
import type { OpenStore, StoreContext } from './store-context.ts';

/**
 * Opens the store of counters and bans. A Redis that does not answer yet does not prevent the start.
 *
 * @throws StartError if the store cannot be used
 */
export async function openStore(context: StoreContext): Promise<OpenStore> {
  const { store } = context.config;
  if (store.kind !== 'redis') return openEmbeddedStore(context);
  // The client of Redis is loaded only where it is needed: a start is quick.
  const { openRedisStore } = await import('./open-redis-store.ts');
  return openRedisStore(store.url, context);
}

async function openEmbeddedStore({ config, logger, clock, metrics }: StoreContext): Promise<OpenStore> {
  const { dataDir, bans } = config;
  const database = await openCounters(join(dataDir, COUNTERS_FILE), lockWait(config, logger));
  let failure: string | null = null;
  const store = createEmbeddedStore({
    database,
    clock,
    policy: banPolicyOf(bans),
    onWritten() {
      failure = null;
    },
    onError(error) {
      failure = 'counters cannot be written, and would be lost in a crash: the log says why';
      metrics.error('write');
      logger.error({ err: error }, 'counters could not be written, and will be tried again');
    },
  });
  const close = async () => {
    await store.close();
    database.close();
  };
  return { store, failure: () => failure, close };
}
