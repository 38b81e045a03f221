import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Storage } from './open-storage.ts';
import type { Config } from '../config/load.ts';
import type { StartContext } from '../start-context.ts';
import { type Component, ComponentWatch, type Condition, conditionOf, READY } from '../system/component-watch.ts';
import { listGateways } from '../system/gateway-rows.ts';
import { Heartbeat } from '../system/heartbeat.ts';
import type { System } from '../system/system.ts';
import { VERSION } from '../system/version.ts';
import type { Route, Upstream } from '../upstreams/upstream.ts';
import type { DeliveryService } from '../webhooks/delivery-service.ts';

/** What is watched. */
export interface Watched {
  readonly storage: Storage;
  readonly routes: readonly Route[];
  readonly delivery: Pick<DeliveryService, 'failure'>;
}

/**
 * Begins to watch what the gateway needs, and to tell the other gateways that it runs.
 *
 * @param hasLostPlans whether the registry had plans and has none now
 */
export function openSystem(
  { config, logger, clock, shutdown }: StartContext,
  { storage, routes, delivery }: Watched,
  hasLostPlans: () => boolean,
): System {
  const gateway = { id: randomUUID(), host: hostname(), version: VERSION };
  const heartbeat = new Heartbeat(storage.database, gateway, logger);
  shutdown.add('system', () => heartbeat.stop());
  const watch = new ComponentWatch(componentsOf(config, { storage, routes, delivery }, hasLostPlans), clock);
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
    settings: config.inForce,
    gateways: () => listGateways(storage.database),
  };
}

function componentsOf(
  config: Config,
  { storage: { counters, database, history }, routes, delivery }: Watched,
  hasLostPlans: () => boolean,
): Component[] {
  const upstreams = new Set(routes.map(({ upstream }) => upstream));
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
    ...[...upstreams].map((upstream) => ({
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
