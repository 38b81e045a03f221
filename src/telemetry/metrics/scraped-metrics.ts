import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';

/** Metrics of values that other parts of the gateway hold. The values are read on every scrape. */

/** The state of the records' database. */
export interface RecordsState {
  readonly state: () => 'up' | 'degraded' | 'away';
}

/** Key lookups by their result. */
export interface LookUpCounts {
  readonly counters: {
    readonly hits: number;
    readonly unknown: number;
    readonly misses: number;
    readonly stale: number;
  };
}

/** The requests that are not yet written to the history, and those that were lost. */
export interface HistoryCounts {
  readonly pending: number;
  readonly lagMs: number;
  readonly flushFailures: number;
  readonly underOther: number;
  readonly lost: number;
  readonly refusalsLeftOut: { readonly repeated: number; readonly dropped: number };
}

/** Events that the request path has published. */
export interface EventCounts {
  readonly queued: number;
  readonly dropped: number;
}

/** A service and its targets. `targets` is null for a service in this process. */
export interface UpstreamTargets {
  readonly name: string;
  readonly targets: (() => readonly { readonly isUp: boolean }[]) | null;
}

/** Connections to a service by state, and requests waiting for a connection. */
export interface UpstreamConnectionCounts {
  readonly active: number;
  readonly idle: number;
  readonly stream: number;
  readonly waiting: number;
}

/** The certificate of each listener; null if it has no TLS. `expiresAt` is in ms since the Unix epoch. */
export type ExpiringCertificates = Readonly<
  Record<'public' | 'admin' | 'portal', { readonly expiresAt: number } | null>
>;

/** Client connections. */
export interface ConnectionCounts {
  /** Open connections. */
  readonly size: number;
  /** Connections with a request in progress. */
  readonly busy: number;
  /** Total number of connections that were rejected because there were too many. */
  readonly dropped: number;
}

export function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = () => {
    gauge.set(read());
  };
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}

function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = () => {
    counter.reset();
    counter.inc(read());
  };
  const counter: Counter = new Counter({ name, help, registers: [registry], collect });
}

export function watchConnections(registry: Registry, connections: ConnectionCounts): void {
  addGauge(registry, 'tollgate_connections', 'Open client connections.', () => connections.size);
  addGauge(
    registry,
    'tollgate_connections_busy',
    'Client connections with a request in progress.',
    () => connections.busy,
  );
  addCounter(
    registry,
    'tollgate_connections_dropped_total',
    'Client connections rejected because there were too many.',
    () => connections.dropped,
  );
}

/**
 * Adds a gauge with a value per upstream. It is reset on every scrape, because a reload may remove upstreams. @param
 * read returns the labels and value of each series
 */
function addUpstreamGauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  read: () => readonly (readonly [Record<Label, string>, number])[],
): void {
  const collect = () => {
    gauge.reset();
    for (const [labels, value] of read()) gauge.set(labels, value);
  };
  const gauge: Gauge<Label> = new Gauge({ name, help, labelNames, registers: [registry], collect });
}

export function watchUpstreams(registry: Registry, upstreams: () => readonly UpstreamTargets[]): void {
  const addTargetGauge = (
    name: string,
    help: string,
    countTargets: (targets: readonly { readonly isUp: boolean }[]) => number,
  ) =>
    addUpstreamGauge(registry, name, help, ['upstream'], () =>
      upstreams().flatMap(({ name: upstream, targets }) =>
        targets === null ? [] : [[{ upstream }, countTargets(targets())] as const],
      ),
    );
  addTargetGauge('tollgate_upstream_targets', 'Targets of an upstream.', (targets) => targets.length);
  addTargetGauge(
    'tollgate_upstream_targets_up',
    'Targets whose last health check, or without one the last attempt to connect, did not fail.',
    (targets) => targets.filter(({ isUp }) => isUp).length,
  );
}

/** @param connections returns the connections by upstream */
export function watchUpstreamConnections(
  registry: Registry,
  connections: () => ReadonlyMap<string, UpstreamConnectionCounts>,
): void {
  addUpstreamGauge(
    registry,
    'tollgate_upstream_connections',
    'Connections to the targets of an upstream, without WebSockets and health checks.',
    ['upstream', 'state'],
    () =>
      Array.from(connections(), ([upstream, counts]) =>
        (['active', 'idle', 'stream'] as const).map((state) => [{ upstream, state }, counts[state]] as const),
      ).flat(),
  );
  addUpstreamGauge(
    registry,
    'tollgate_upstream_waiting',
    'Requests that wait for a connection to a target.',
    ['upstream'],
    () => Array.from(connections(), ([upstream, { waiting }]) => [{ upstream }, waiting] as const),
  );
}

export function watchCertificates(registry: Registry, certificates: ExpiringCertificates): void {
  const collect = () => {
    for (const listener of ['public', 'admin', 'portal'] as const) {
      const certificate = certificates[listener];
      if (certificate !== null) expiry.set({ listener }, certificate.expiresAt / 1000);
    }
  };
  const expiry: Gauge<'listener'> = new Gauge({
    name: 'tollgate_certificate_expiry_seconds',
    help: "When a listener's certificate expires, as a Unix time.",
    labelNames: ['listener'],
    registers: [registry],
    collect,
  });
}

export function watchDatabase(registry: Registry, database: RecordsState): void {
  addGauge(
    registry,
    'tollgate_database_up',
    'Whether the database of keys and plans responds and accepts writes.',
    () => (database.state() === 'up' ? 1 : 0),
  );
}

export function watchCredentialCache(registry: Registry, { counters }: LookUpCounts): void {
  const collect = () => {
    lookUps.reset();
    lookUps.inc({ result: 'hit' }, counters.hits);
    lookUps.inc({ result: 'unknown' }, counters.unknown);
    lookUps.inc({ result: 'miss' }, counters.misses);
    lookUps.inc({ result: 'stale' }, counters.stale);
  };
  const lookUps: Counter<'result'> = new Counter({
    name: 'tollgate_directory_lookups_total',
    help: 'Key lookups, by where the answer came from.',
    labelNames: ['result'],
    registers: [registry],
    collect,
  });
}

export function watchHistory(registry: Registry, { state }: { readonly state: () => HistoryCounts }): void {
  addGauge(registry, 'tollgate_history_pending_rows', 'History rows not yet written.', () => state().pending);
  addGauge(
    registry,
    'tollgate_history_lag_seconds',
    'Age of the oldest request not yet written to the history.',
    () => state().lagMs / 1000,
  );
  addCounter(
    registry,
    'tollgate_history_flush_failures_total',
    'Failed writes to the history. They are retried.',
    () => state().flushFailures,
  );
  addCounter(
    registry,
    'tollgate_history_other_total',
    'Requests recorded under the key `other`, because there were too many different keys.',
    () => state().underOther,
  );
  addCounter(
    registry,
    'tollgate_history_lost_total',
    'Requests missing from the history, because the queue was full or a write was given up.',
    () => state().lost,
  );
  watchRefusals(registry, () => state().refusalsLeftOut);
}

function watchRefusals(registry: Registry, readLeftOut: () => HistoryCounts['refusalsLeftOut']): void {
  const collect = () => {
    const { repeated, dropped } = readLeftOut();
    refusals.reset();
    refusals.inc({ reason: 'repeated' }, repeated);
    refusals.inc({ reason: 'dropped' }, dropped);
  };
  const refusals: Counter<'reason'> = new Counter({
    name: 'tollgate_history_refusals_left_out_total',
    help: 'Refusals that are not stored: the key already had a few for that reason and minute, or the queue was full.',
    labelNames: ['reason'],
    registers: [registry],
    collect,
  });
}

export function watchEvents(registry: Registry, events: EventCounts): void {
  addGauge(registry, 'tollgate_events_queued', 'Events from the request path not yet written.', () => events.queued);
  addCounter(
    registry,
    'tollgate_events_dropped_total',
    'Lost events: the queue was full, or the database rejected them.',
    () => events.dropped,
  );
}

/** The counter of the log itself. */
export interface DroppedLines {
  /** Number of lines dropped since the start because they could not be written. */
  readonly dropped: number;
}

export function watchLog(registry: Registry, log: DroppedLines): void {
  addCounter(
    registry,
    'tollgate_log_lines_dropped_total',
    'Log lines dropped because standard output could not be written.',
    () => log.dropped,
  );
}
