import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';
import {
  watchConnections,
  watchDatabase,
  watchEvents,
  watchHistory,
  watchCertificates,
  watchCredentialCache,
  watchLog,
  watchUpstreamConnections,
  watchUpstreams,
  type ConnectionCounts,
  type DroppedLines,
  type EventCounts,
  type ExpiringCertificates,
  type HistoryCounts,
  type LookUpCounts,
  type RecordsState,
  type UpstreamConnectionCounts,
  type UpstreamTargets,
} from './scraped-metrics.ts';
import { ReloadMetrics } from './reload-metrics.ts';
import { storeFailures, type StoreMetrics } from './store-metrics.ts';
import { CounterTally, HistogramTally } from './tally.ts';
import { TraceMetrics } from './trace-metrics.ts';

/** The response to a scrape by Prometheus. */
export interface Scrape {
  readonly contentType: string;
  readonly body: string;
}

interface Sources {
  readonly credentialCache: LookUpCounts;
  readonly database: RecordsState;
  readonly history: { readonly state: () => HistoryCounts };
  readonly events: EventCounts;
  readonly connections: ConnectionCounts;
  readonly log: DroppedLines;
  readonly upstreams: () => readonly UpstreamTargets[];
  readonly upstreamConnections: () => ReadonlyMap<string, UpstreamConnectionCounts>;
  readonly certificates: ExpiringCertificates;
}

/** A gateway's metrics, in a registry to which the planes add their own. */
export interface GatewayMetrics {
  readonly registry: Registry;
  readonly reloads: ReloadMetrics;
  readonly traces: TraceMetrics;
  /** The metrics of the stores. */
  readonly store: StoreMetrics;
  /** Adds metrics whose values are read on every scrape. */
  watch(sources: Sources): void;
  /** Renders all metrics for Prometheus. */
  readonly scrape: () => Promise<Scrape>;
}

export function createMetrics(): GatewayMetrics {
  const registry = new Registry();
  let processMetrics: Promise<void> | undefined;
  return {
    registry,
    reloads: new ReloadMetrics(registry),
    traces: new TraceMetrics(registry),
    store: createStoreMetrics(registry),
    watch(sources) {
      const { credentialCache, database, history, events, connections, log, upstreams, certificates } = sources;
      watchDatabase(registry, database);
      watchCredentialCache(registry, credentialCache);
      watchHistory(registry, history);
      watchEvents(registry, events);
      watchConnections(registry, connections);
      watchLog(registry, log);
      watchUpstreams(registry, upstreams);
      watchUpstreamConnections(registry, sources.upstreamConnections);
      watchCertificates(registry, certificates);
    },
    async scrape() {
      await (processMetrics ??= collectProcessMetrics(registry));
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

/**
 * Adds the metrics of the process, under the names that existing dashboards and rules use. They are loaded at the first
 * scrape.
 */
async function collectProcessMetrics(registry: Registry): Promise<void> {
  const { default: collectDefaultMetrics } = await import('prom-client/lib/defaultMetrics.js');
  collectDefaultMetrics({ register: registry });
}

/**
 * Upper bounds in seconds. They are close together around the time of a round trip and the default command timeout of
 * 100 ms.
 */
const STORE_BUCKETS_SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

function createStoreMetrics(registry: Registry): StoreMetrics {
  const failed = new CounterTally(registry, 'tollgate_store_errors_total', 'Store operations that failed.', ['kind']);
  // Create the counters now, so that the first failure shows as an increase from 0 and not as a new series.
  const byKind = new Map(storeFailures.map((kind) => [kind, failed.child(kind)]));
  const duration = new HistogramTally(
    registry,
    'tollgate_store_duration_seconds',
    'Duration of commands to the shared store, including those that failed.',
    [],
    STORE_BUCKETS_SECONDS,
  ).child();
  const open = new Gauge({
    name: 'tollgate_store_breakers_open',
    help: 'Open circuit breakers to the shared store. Above 0, limits are not exact.',
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
