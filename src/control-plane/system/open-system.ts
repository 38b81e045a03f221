import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type Setting, shown } from '../../config/in-force/settings.ts';
import type { Storage } from '../../open/open-storage.ts';
import type { Upstreams } from '../../data-plane/upstreams/open-upstreams.ts';
import type { Config } from '../../config/load.ts';
import type { StartContext } from '../../start-context.ts';
import { type Component, ComponentWatch, type Condition, conditionOf, READY } from './component-watch.ts';
import { Heartbeat, listGateways } from './heartbeat.ts';
import type { System } from './system.ts';
import { VERSION } from '../../base/version.ts';
import type { Upstream } from '../../data-plane/upstreams/upstream.ts';
import type { DeliveryService } from '../webhooks/delivery-service.ts';

/** What is watched. */
export interface Watched {
  readonly storage: Storage;
  readonly upstreams: Pick<Upstreams, 'all'>;
  readonly delivery: Pick<DeliveryService, 'failure'>;
  /** Whether the registry had plans and has none now. */
  readonly hasLostPlans: () => boolean;
  /** The settings in force now. */
  readonly inForce: () => readonly Setting[];
}

/** Begins to watch what the gateway needs, and to tell the other gateways that it runs. */
export function openSystem({ config, logger, clock, shutdown }: StartContext, watched: Watched): System {
  const { storage, inForce } = watched;
  const gateway = { id: randomUUID(), host: hostname(), version: VERSION };
  const heartbeat = new Heartbeat(storage.database, gateway, logger, warnOfReplicas(config, logger));
  shutdown.add('system', () => heartbeat.stop());
  const watch = new ComponentWatch(() => componentsOf(config, watched), clock);
  shutdown.add('system', () => watch.stop());
  return {
    gateway,
    startedAt: clock(),
    components: () => watch.report(),
    historyLag() {
      const { lagMs, pending } = storage.history.state();
      return { lagMs, pendingRows: pending };
    },
    file: config.file,
    settings: () => inForce().map(shown),
    gateways: () => listGateways(storage.database),
  };
}

/** One that was killed counts for half a minute, which is three beats. */
const LASTING_BEATS = 5;

/** The bound of what is admitted while Redis is away holds only if `replicas` is right. Warns once for each number. */
export function warnOfReplicas({ store, replicas }: Pick<Config, 'store' | 'replicas'>, logger: Logger) {
  let told = replicas;
  let beats = 0;
  return (gateways: number) => {
    beats = store.kind === 'redis' && gateways > told ? beats + 1 : 0;
    if (beats < LASTING_BEATS) return;
    told = gateways;
    beats = 0;
    const why = 'more gateways run than replicas says: while Redis is away, keys would get more than their limits';
    logger.warn({ gateways, replicas }, why);
  };
}

function componentsOf(
  config: Config,
  { storage: { counters, database, history }, upstreams, delivery, hasLostPlans }: Watched,
): Component[] {
  return [
    { name: 'counters', kind: config.store.kind, condition: () => conditionOf('degraded', counters.failure()) },
    {
      name: 'records',
      kind: config.database.kind,
      condition: () =>
        database.state() === 'up' && hasLostPlans()
          ? { state: 'degraded', cause: 'it had plans and has none now: restore a backup' }
          : conditionOf(database.state() === 'away' ? 'away' : 'degraded', database.failure()),
    },
    {
      name: 'history',
      kind: config.database.kind,
      condition: () => conditionOf('degraded', history.state().failure),
    },
    {
      name: 'webhooks',
      kind: config.database.kind,
      condition: () => conditionOf('degraded', delivery.failure),
    },
    ...upstreams.all.map((upstream) => ({
      name: `upstream ${upstream.name}`,
      kind: upstream.targets === null ? 'module' : 'http',
      condition: () => upstreamCondition(upstream),
    })),
  ];
}

function upstreamCondition({ targets }: Upstream): Condition {
  const all = targets?.() ?? [];
  const failing = all.filter(({ failure }) => failure !== null);
  if (failing.length === 0) return READY;
  const cause = failing.map(({ url, failure }) => `${url} is not used: ${failure}`).join('; ');
  return { state: failing.length === all.length ? 'away' : 'degraded', cause };
}
