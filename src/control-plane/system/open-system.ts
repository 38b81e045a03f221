import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Clock } from '../../base/time.ts';
import { VERSION } from '../../base/version.ts';
import type { TargetCondition } from '../../data-plane/boundary-types.ts';
import type { Database } from '../../storage/database.ts';
import {
  type Component,
  type ComponentKind,
  ComponentWatch,
  type Condition,
  createCondition,
  READY,
} from './component-watch.ts';
import { Heartbeat, type GatewayIdentity, listGateways } from './heartbeat.ts';
import type { EffectiveSetting, System } from './system-info.ts';

/** The parts that are watched. */
interface SystemParts {
  readonly database: Database;
  /** `failure` explains to people why the store of counters does not work fully; null if it does. */
  readonly counters: { readonly kind: ComponentKind; readonly failure: () => string | null };
  readonly records: { readonly kind: ComponentKind; readonly hasLostPlans: () => boolean };
  readonly history: {
    readonly state: () => { readonly failure: string | null; readonly lagMs: number; readonly pending: number };
  };
  readonly delivery: { readonly failure: string | null };
  /** Upstreams in use. `targets` is null for an upstream that runs in this process. */
  readonly upstreams: () => readonly {
    readonly name: string;
    readonly targets: (() => readonly TargetCondition[]) | null;
  }[];
}

interface SystemOptions extends SystemParts {
  readonly gateway: GatewayIdentity;
  /** Path of the configuration file. */
  readonly file: string;
  /** The settings that are in force. */
  readonly settings: () => readonly EffectiveSetting[];
  readonly clock: Clock;
}

/** Creates the identity of this gateway, as the other gateways see it. */
export function createGatewayIdentity(): GatewayIdentity {
  return { id: randomUUID(), host: hostname(), version: VERSION };
}

interface ConfigDriftMetric {
  /** @param gateways running gateways that have another configuration than this one */
  setDrift(gateways: number): void;
}

interface FleetConfig {
  readonly store: { readonly kind: string };
  readonly replicas: number;
}

interface HeartbeatDependencies {
  readonly database: Database;
  readonly gateway: GatewayIdentity;
  readonly metrics: ConfigDriftMetric;
  readonly logger: Logger;
}

/** Tells the other gateways that this one is running, and warns if more are running than `replicas` says. */
export function openHeartbeat(
  { database, gateway, metrics, logger }: HeartbeatDependencies,
  config: FleetConfig & { readonly registry: { readonly staleFor: number } },
): Heartbeat {
  const warnOfReplicas = createReplicasWarning(config, logger);
  return new Heartbeat(database, gateway, logger, {
    staleForMs: config.registry.staleFor,
    onRunning({ running, differing }) {
      warnOfReplicas(running);
      metrics.setDrift(differing);
    },
  });
}

/** Starts to watch the components that the gateway needs. */
export function openSystem(options: SystemOptions): System & { readonly stop: () => void } {
  const { gateway, database, history, clock } = options;
  const watch = new ComponentWatch(() => createComponents(options), clock);
  return {
    gateway,
    startedAt: clock(),
    components: () => watch.report(),
    historyLag() {
      const { lagMs, pending } = history.state();
      return { lagMs, pendingRows: pending };
    },
    file: options.file,
    settings: options.settings,
    gateways: () => listGateways(database),
    stop: () => watch.stop(),
  };
}

/**
 * Number of reports in a row that must show too many gateways before a warning is logged. A killed gateway still counts
 * as running for three reports, which is half a minute.
 */
const BEATS_BEFORE_WARNING = 5;

/**
 * Warns if more gateways are running than `replicas` says, once for each number. While Redis is unavailable, the bound
 * on admitted requests is correct only if `replicas` is.
 */
export function createReplicasWarning({ store, replicas }: FleetConfig, logger: Logger) {
  let lastCount = replicas;
  let beatsInRow = 0;
  return (gateways: number) => {
    beatsInRow = store.kind === 'redis' && gateways > lastCount ? beatsInRow + 1 : 0;
    if (beatsInRow < BEATS_BEFORE_WARNING) return;
    lastCount = gateways;
    beatsInRow = 0;
    logger.warn({ gateways, replicas }, 'more gateways are running than the setting replicas says');
  };
}

function createComponents({ database, counters, records, history, delivery, upstreams }: SystemParts): Component[] {
  const { kind } = records;
  const readRecordsCondition = () =>
    database.state() === 'up' && records.hasLostPlans()
      ? ({ state: 'degraded', cause: 'the plans are gone: restore a backup' } as const)
      : createCondition(database.state() === 'away' ? 'away' : 'degraded', database.failure());
  /**
   * If the database is unavailable, all parts that use it report this at once, and not only when each of them next uses
   * the database.
   */
  const toCondition = (failure: string | null): Condition =>
    database.state() === 'up' ? createCondition('degraded', failure) : readRecordsCondition();
  // With SQLite, the history has a file of its own, so the state of the database says nothing about it.
  const toHistoryCondition =
    kind === 'postgres' ? toCondition : (failure: string | null) => createCondition('degraded', failure);
  return [
    { name: 'counters', kind: counters.kind, condition: () => createCondition('degraded', counters.failure()) },
    { name: 'records', kind, condition: readRecordsCondition },
    { name: 'history', kind, condition: () => toHistoryCondition(history.state().failure) },
    { name: 'webhooks', kind, condition: () => toCondition(delivery.failure) },
    ...upstreams().map(({ name, targets }) => ({
      name: `upstream ${name}`,
      kind: targets === null ? ('module' as const) : ('http' as const),
      condition: () => toUpstreamCondition(targets),
    })),
  ];
}

function toUpstreamCondition(targets: (() => readonly TargetCondition[]) | null): Condition {
  const conditions = targets?.() ?? [];
  const states = conditions.map(({ state }) => state);
  if (states.every((state) => state === 'ready')) return READY;
  const isAnyAway = states.includes('away');
  const cause = conditions
    .filter(({ state }) => state === 'away' || (!isAnyAway && state === 'unknown'))
    .map(
      ({ url, state, cause: targetCause }) =>
        `${url} is ${state === 'away' ? 'out of rotation' : 'unknown'}: ${targetCause}`,
    )
    .join('; ');
  if (!isAnyAway) return { state: 'unknown', cause };
  return { state: states.every((state) => state === 'away') ? 'away' : 'degraded', cause };
}
