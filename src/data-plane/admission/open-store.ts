import { join } from 'node:path';
import { COUNTERS_FILE, openCounters } from '../../storage/counters.ts';
import { createEmbeddedStore } from './embedded/embedded-store.ts';
import type { OpenStore } from './store.ts';
import type { StoreOptions } from './open-redis-store.ts';

/**
 * Opens the store of counters and bans. The gateway also starts while Redis is unavailable.
 *
 * @throws StartError if the store cannot be used
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  if (options.store.kind !== 'redis') return openEmbeddedStore(options);
  // The Redis client is loaded only if it is used, to keep the start fast.
  const { openRedisStore } = await import('./open-redis-store.ts');
  return openRedisStore(options.store.url, options);
}

async function openEmbeddedStore(options: StoreOptions): Promise<OpenStore> {
  const { dataDir, banPolicy: policy, lockWait, logger, clock, metrics } = options;
  const database = await openCounters(join(dataDir, COUNTERS_FILE), lockWait);
  let failure: string | null = null;
  const store = createEmbeddedStore({
    database,
    clock,
    policy,
    onWritten() {
      failure = null;
    },
    onError(error) {
      failure = 'counters cannot be written and would be lost in a crash: see the log';
      metrics.error('write');
      logger.error({ err: error }, 'counters could not be written; retrying');
    },
  });
  const close = async () => {
    await store.close();
    database.close();
  };
  return { store, failure: () => failure, close };
}
