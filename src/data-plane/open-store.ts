import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import { COUNTERS_FILE, openCounters } from '../storage/sqlite/counters.ts';
import type { LockWait } from '../storage/sqlite/lock.ts';
import type { StoreMetrics } from '../telemetry/metrics/store-metrics.ts';
import type { BanPolicy } from './admission/bans.ts';
import { createEmbeddedStore } from './admission/embedded/embedded-store.ts';
import type { OutageListener } from './admission/resilient/outage.ts';
import type { AdmissionStore } from './admission/store.ts';

/** Where counters and bans are kept, and by which rules. */
export interface StoreOptions {
  readonly store: { readonly kind: 'embedded' } | { readonly kind: 'redis'; readonly url: string };
  readonly dataDir: string;
  readonly banPolicy: BanPolicy;
  /** Gateways that share Redis: while it is away, each admits a share. */
  readonly replicas: number;
  readonly redis: { readonly commandTimeout: number; readonly keyPrefix: string };
  readonly lockWait: LockWait;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: StoreMetrics;
  /** Called when Redis cannot be reached, and when it can again. */
  readonly outages: OutageListener;
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
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  if (options.store.kind !== 'redis') return openEmbeddedStore(options);
  // The client of Redis is loaded only where it is needed: a start is quick.
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
