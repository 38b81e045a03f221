import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';
import type { Clock } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { Events } from '../../control-plane/events/events.ts';
import type { History } from '../../control-plane/history/history.ts';
import type { Exchange } from '../../data-plane/exchange.ts';
import type { CredentialCache } from '../../data-plane/credentials/credential-cache.ts';
import { AdmissionMetrics } from '../../data-plane/observers/admission-metrics.ts';
import {
  watchConnections,
  watchDatabase,
  watchEvents,
  watchHistory,
  watchCredentialCache,
  watchLog,
  type ConnectionCounts,
  type DroppedLines,
} from './read-metrics.ts';
import { ReloadMetrics } from './reload-metrics.ts';
import { RequestMetrics } from '../../data-plane/observers/request-metrics.ts';
import { storeFailures, type StoreMetrics } from '../store-metrics.ts';
import { CounterTally, HistogramTally } from './tally.ts';
import { TraceMetrics } from './trace-metrics.ts';
import { WebhookMetrics } from '../../control-plane/webhooks/webhook-metrics.ts';

/** What Prometheus reads. */
export interface Scrape {
  readonly contentType: string;
  readonly body: string;
}

interface Sources {
  readonly credentialCache: CredentialCache;
  readonly database: Database;
  readonly history: Pick<History, 'state'>;
  readonly events: Pick<Events, 'queued' | 'dropped'>;
  readonly connections: ConnectionCounts;
  readonly log: DroppedLines;
}

/** Everything a gateway measures about itself, in its own registry. */
export interface GatewayMetrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
  readonly admission: AdmissionMetrics;
  readonly webhooks: WebhookMetrics;
  readonly reloads: ReloadMetrics;
  readonly traces: TraceMetrics;
  /** For the stores. */
  readonly store: StoreMetrics;
  /** To be called when a response has ended; `now` is `performance.now()`. */
  readonly ended: (exchange: Exchange, now: number) => void;
  /** Adds metrics that are read at every scrape. */
  watch(sources: Sources): void;
  /** Renders what Prometheus reads. */
  readonly scrape: () => Promise<Scrape>;
}

export function createMetrics(clock: Clock): GatewayMetrics {
  const registry = new Registry();
  const requests = new RequestMetrics(registry);
  const admission = new AdmissionMetrics(registry, clock);
  const webhooks = new WebhookMetrics(registry);
  const reloads = new ReloadMetrics(registry);
  const traces = new TraceMetrics(registry);
  const store = createStoreMetrics(registry);
  let processMetrics: Promise<void> | undefined;
  return {
    registry,
    requests,
    admission,
    webhooks,
    reloads,
    traces,
    store,
    ended(exchange, now) {
      requests.record(exchange, now);
      admission.record(exchange);
    },
    watch({ credentialCache, database, history, events, connections, log }) {
      watchDatabase(registry, database);
      watchCredentialCache(registry, credentialCache);
      watchHistory(registry, history);
      watchEvents(registry, events);
      watchConnections(registry, connections);
      watchLog(registry, log);
    },
    async scrape() {
      await (processMetrics ??= collectProcessMetrics(registry));
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

/** Metrics of the process, under the usual names that existing dashboards and rules know; from the first scrape on. */
async function collectProcessMetrics(registry: Registry): Promise<void> {
  const { default: collectDefaultMetrics } = await import('prom-client/lib/defaultMetrics.js');
  collectDefaultMetrics({ register: registry });
}

/** Seconds. Around the time of a round trip and the default command timeout of 100 ms. */
const STORE_BUCKETS_SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

function createStoreMetrics(registry: Registry): StoreMetrics {
  const failed = new CounterTally(registry, 'tollgate_store_errors_total', 'What a store was asked and did not do.', [
    'kind',
  ]);
  // Created at the start, so that the first failure shows as an increase from 0 and not as a new series.
  const byKind = new Map(storeFailures.map((kind) => [kind, failed.child(kind)]));
  const duration = new HistogramTally(
    registry,
    'tollgate_store_duration_seconds',
    'How long a command to the shared store took, answered or not.',
    [],
    STORE_BUCKETS_SECONDS,
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
