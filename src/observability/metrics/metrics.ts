import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../../admission/store.ts';
import type { Database } from '../../database/database.ts';
import type { Exchange } from '../../pipeline/exchange.ts';
import type { CredentialCache } from '../../registry/cache/credential-cache.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import {
  watchConnections,
  watchDatabase,
  watchCredentialCache,
  watchLog,
  type ConnectionCounts,
  type DroppedLines,
} from './read-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import { storeFailures, type StoreMetrics } from '../store-metrics.ts';
import { CounterTally, HistogramTally } from './tally.ts';

/** What Prometheus reads. */
export interface Scrape {
  readonly contentType: string;
  readonly body: string;
}

interface Sources {
  readonly credentialCache: CredentialCache;
  readonly database: Database;
  readonly connections: ConnectionCounts;
  readonly log: DroppedLines;
}

/** All that one gateway measures of itself, in a registry of its own. */
export interface GatewayMetrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
  readonly admission: AdmissionMetrics;
  /** For whatever keeps counters. */
  readonly store: StoreMetrics;
  /** To be called when a response is over. */
  readonly ended: (exchange: Exchange, now: number) => void;
  /** What is read when it is asked for. */
  watch(sources: Sources): void;
  /** What Prometheus reads. */
  readonly scrape: () => Promise<Scrape>;
}

export function createMetrics(clock: Clock): GatewayMetrics {
  const registry = new Registry();
  const requests = new RequestMetrics(registry);
  const admission = new AdmissionMetrics(registry, clock);
  const store = createStoreMetrics(registry);
  // Under their usual names, which dashboards and rules of others know.
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests,
    admission,
    store,
    ended(exchange, now) {
      requests.record(exchange, now);
      admission.record(exchange);
    },
    watch({ credentialCache, database, connections, log }) {
      watchDatabase(registry, database);
      watchCredentialCache(registry, credentialCache);
      watchConnections(registry, connections);
      watchLog(registry, log);
    },
    scrape: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** Seconds. Around what a round trip takes, and the default command timeout of 100 ms. */
const STORE_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

function createStoreMetrics(registry: Registry): StoreMetrics {
  const failed = new CounterTally(registry, 'tollgate_store_errors_total', 'What a store was asked and did not do.', [
    'kind',
  ]);
  // From the start, so that the first failure is a rise and not a beginning.
  const byKind = new Map(storeFailures.map((kind) => [kind, failed.child(kind)]));
  const duration = new HistogramTally(
    registry,
    'tollgate_store_duration_seconds',
    'How long a command to the shared store took, answered or not.',
    [],
    STORE_BUCKETS,
  ).child();
  const open = new Gauge({
    name: 'tollgate_store_breakers_open',
    help: 'Circuit breakers to the shared store that are open: above 0, limits are not exact.',
    registers: [registry],
  });
  return {
    error(kind) {
      const count = byKind.get(kind);
      if (count !== undefined) count.value++;
    },
    latency: (seconds) => duration.observe(seconds),
    breaker: (state) => (state === 'open' ? open.inc() : open.dec()),
  };
}
