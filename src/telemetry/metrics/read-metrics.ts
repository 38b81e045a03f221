import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';

/** Metrics of values that are kept elsewhere anyway: read at every scrape. */

/** Whether the records can be read and changed. */
export interface RecordsState {
  readonly state: () => 'up' | 'degraded' | 'away';
}

/** Look-ups of keys, by what answered them. */
export interface LookUps {
  readonly counters: {
    readonly hits: number;
    readonly unknown: number;
    readonly misses: number;
    readonly stale: number;
  };
}

/** What waits to be written to the history, and what was lost. */
export interface HistoryCounts {
  readonly pending: number;
  readonly lagMs: number;
  readonly flushFailures: number;
  readonly underOther: number;
  readonly lost: number;
  readonly refusalsLeftOut: { readonly repeated: number; readonly dropped: number };
}

/** Events of the request path. */
export interface EventCounts {
  readonly queued: number;
  readonly dropped: number;
}

/** Client connections. */
export interface ConnectionCounts {
  /** Open now. */
  readonly size: number;
  /** With a request in progress. */
  readonly busy: number;
  /** Rejected so far because there were too many. */
  readonly dropped: number;
}

export function gaugeOf(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = () => {
    gauge.set(read());
  };
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}

function counterOf(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = () => {
    counter.reset();
    counter.inc(read());
  };
  const counter: Counter = new Counter({ name, help, registers: [registry], collect });
}

export function watchConnections(registry: Registry, connections: ConnectionCounts): void {
  gaugeOf(registry, 'tollgate_connections', 'Connections of clients that are open.', () => connections.size);
  gaugeOf(
    registry,
    'tollgate_connections_busy',
    'Connections of clients with a request at work.',
    () => connections.busy,
  );
  counterOf(
    registry,
    'tollgate_connections_dropped_total',
    'Connections that were turned away because there were too many.',
    () => connections.dropped,
  );
}

export function watchDatabase(registry: Registry, database: RecordsState): void {
  gaugeOf(registry, 'tollgate_database_up', 'Whether the database of keys and plans answers and takes changes.', () =>
    database.state() === 'up' ? 1 : 0,
  );
}

export function watchCredentialCache(registry: Registry, { counters }: LookUps): void {
  const collect = () => {
    lookUps.reset();
    lookUps.inc({ result: 'hit' }, counters.hits);
    lookUps.inc({ result: 'unknown' }, counters.unknown);
    lookUps.inc({ result: 'miss' }, counters.misses);
    lookUps.inc({ result: 'stale' }, counters.stale);
  };
  const lookUps: Counter<'result'> = new Counter({
    name: 'tollgate_directory_lookups_total',
    help: 'Look-ups of keys, by what answered them.',
    labelNames: ['result'],
    registers: [registry],
    collect,
  });
}

export function watchHistory(registry: Registry, { state }: { readonly state: () => HistoryCounts }): void {
  gaugeOf(
    registry,
    'tollgate_history_pending_rows',
    'Rows of the history that are not written yet.',
    () => state().pending,
  );
  gaugeOf(
    registry,
    'tollgate_history_lag_seconds',
    'Age of the oldest request that is not in the history yet.',
    () => state().lagMs / 1000,
  );
  counterOf(
    registry,
    'tollgate_history_flush_failures_total',
    'Attempts to write to the history that failed; what was to be written is tried again.',
    () => state().flushFailures,
  );
  counterOf(
    registry,
    'tollgate_history_other_total',
    'Requests that the history has under the key `other`, because too many keys were to be told apart.',
    () => state().underOther,
  );
  counterOf(
    registry,
    'tollgate_history_lost_total',
    'Requests that the history does not have, because too much waited to be written or was given up.',
    () => state().lost,
  );
  watchRefusals(registry, () => state().refusalsLeftOut);
}

function watchRefusals(registry: Registry, leftOut: () => HistoryCounts['refusalsLeftOut']): void {
  const collect = () => {
    const { repeated, dropped } = leftOut();
    refusals.reset();
    refusals.inc({ reason: 'repeated' }, repeated);
    refusals.inc({ reason: 'dropped' }, dropped);
  };
  const refusals: Counter<'reason'> = new Counter({
    name: 'tollgate_history_refusals_left_out_total',
    help: 'Refusals that cannot be explained: the key had a few in the same minute, or too much waited to be written.',
    labelNames: ['reason'],
    registers: [registry],
    collect,
  });
}

export function watchEvents(registry: Registry, events: EventCounts): void {
  gaugeOf(
    registry,
    'tollgate_events_queued',
    'Events of the request path that are not written yet.',
    () => events.queued,
  );
  counterOf(
    registry,
    'tollgate_events_dropped_total',
    'Events that nobody will be told of, because too many waited to be written or the database refused them.',
    () => events.dropped,
  );
}

/** What a log reports about itself. */
export interface DroppedLines {
  /** Lines that could not be written, since the start. */
  readonly dropped: number;
}

export function watchLog(registry: Registry, log: DroppedLines): void {
  counterOf(
    registry,
    'tollgate_log_lines_dropped_total',
    'Lines of the log that were dropped because standard output could not be written.',
    () => log.dropped,
  );
}
