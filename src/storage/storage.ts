import type { Logger } from 'pino';
import { createEmbeddedStore } from '../admission/embedded-store.ts';
import type { AdmissionStore, Clock } from '../admission/store.ts';
import type { Config } from '../config/load.ts';
import { noStoreMetrics, type StoreMetrics } from '../observability/store-metrics.ts';
import type { Registry } from '../registry/registry.ts';
import { SqliteRegistry } from '../registry/sqlite-registry.ts';
import { openEmbedded } from './database.ts';
import { openShared } from './shared.ts';

/** Where a gateway keeps what must not be lost. */
export interface Storage {
  readonly registry: Registry;
  readonly store: AdmissionStore;
  /** True while gateways that share the storage decide each by itself, because it does not answer. */
  readonly isDegraded: () => boolean;
  readonly close: () => Promise<void>;
}

/**
 * Opens what the configuration names. A shared storage that does not answer yet is opened all the same, and rejects
 * what it is asked with `StoreUnavailable` until it does.
 *
 * @throws StartError if it can't be used
 */
export function openStorage(
  config: Config,
  logger: Logger,
  clock: Clock,
  metrics: StoreMetrics = noStoreMetrics,
): Promise<Storage> {
  const { store } = config;
  if (store.kind === 'redis') return openShared(store.url, config, logger, metrics);
  return openLocal(store.file, config, logger, clock, metrics);
}

async function openLocal(
  file: string,
  config: Config,
  logger: Logger,
  clock: Clock,
  metrics: StoreMetrics,
): Promise<Storage> {
  const database = await openEmbedded(file, config.drain.deadline);
  const registry = new SqliteRegistry(database);
  const store = createEmbeddedStore({
    database,
    clock,
    policy: config.bans,
    onError(error) {
      metrics.error('write');
      logger.error({ err: error }, 'counters could not be written, and will be tried again');
    },
  });
  return {
    registry,
    store,
    isDegraded: () => false,
    async close() {
      await store.close();
      await registry.close();
      database.close();
    },
  };
}
