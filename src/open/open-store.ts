import { join } from 'node:path';
import { banPolicyOf } from '../config/ban-settings.ts';
import type { NewEvent } from '../events/event.ts';
import type { StartContext } from '../start-context.ts';
import { COUNTERS_FILE, openCounters } from '../database/sqlite/counters.ts';
import type { StoreMetrics } from '../observability/store-metrics.ts';
import { createEmbeddedStore } from '../admission/embedded/embedded-store.ts';
import type { AdmissionStore } from '../admission/store.ts';

export interface StoreContext extends Pick<StartContext, 'config' | 'logger' | 'clock'> {
  readonly metrics: StoreMetrics;
  /** Where to tell that the shared store cannot be reached. */
  readonly note: (event: NewEvent) => void;
}

export interface OpenStore {
  readonly store: AdmissionStore;
  /**
   * Why counters cannot be kept where they should be, for people; null while they can. Of a shared store: each gateway
   * then decides on its own.
   */
  readonly failure: () => string | null;
  readonly close: () => Promise<void>;
}

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
  const { dataDir, drain, bans } = config;
  const database = await openCounters(join(dataDir, COUNTERS_FILE), drain.deadline);
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
