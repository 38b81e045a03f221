import type { Health } from './admin/probes.ts';
import { createAdminServer, type AdminServer } from './admin/server.ts';
import type { Storage } from './open-storage.ts';
import { createAddressLimiter, type AddressLimiter } from './pipeline/caller/address-limiter.ts';
import { createClientAddress } from './pipeline/caller/client-address.ts';
import { createPipeline, type Pipeline } from './pipeline/index.ts';
import { TunnelRegistry } from './pipeline/websocket/tunnel-registry.ts';
import { createPublicServer, type PublicServer } from './server/public-server.ts';
import type { StartContext } from './start-context.ts';
import { publicDocument } from './upstreams/public-document.ts';
import type { Route } from './upstreams/upstream.ts';

export interface Servers {
  readonly publicServer: PublicServer;
  readonly adminServer: AdminServer;
}

/** Builds the request path and both servers; neither listens yet. */
export function createServers(
  context: StartContext,
  storage: Storage,
  routes: readonly Route[],
  health: () => Health,
): Servers {
  const { config, logger, clock, metrics } = context;
  const { failedAttempts, within: withinMs } = config.guard;
  const addressLimiter = createAddressLimiter({ limit: failedAttempts, withinMs }, clock);
  const { maxTunnels: maxPerKey, tunnelIdle: idleMs } = config.edge;
  const tunnels = new TunnelRegistry({ maxPerKey, idleMs, logger });
  const pipeline = assemblePipeline(context, storage, routes, { addressLimiter, tunnels });
  const publicServer = createPublicServer(config.edge, {
    pipeline,
    tunnels,
    addressLimiter,
    logger,
    metrics: metrics.requests,
  });
  const adminServer = createAdminServer({
    registry: storage.registry,
    store: metrics.admission.observed(storage.counters.store),
    tokens: storage.tokens,
    served: routes,
    health,
    metrics: metrics.scrape,
    logger,
    clock,
  });
  return { publicServer, adminServer };
}

function assemblePipeline(
  { config, logger, clock, metrics }: StartContext,
  { credentialCache, counters, bans }: Storage,
  routes: readonly Route[],
  shared: { readonly addressLimiter: AddressLimiter; readonly tunnels: TunnelRegistry },
): Pipeline {
  const { publicRequests, within: withinMs } = config.guard;
  return createPipeline({
    ...shared,
    routes,
    publicDocument: publicDocument(config.upstreams),
    credentialCache,
    store: counters.store,
    publicLimiter: createAddressLimiter({ limit: publicRequests, withinMs }, clock),
    corsOrigins: config.cors.origins,
    clientAddress: createClientAddress(config.trustedProxies),
    dropHeaders: config.edge.dropHeaders,
    clock,
    logger,
    ietfHeaders: config.rateLimitHeaders.includes('ietf'),
    afterSunset: config.afterSunset,
    onEnded: metrics.ended,
    onBanStarted: bans.started,
  });
}
