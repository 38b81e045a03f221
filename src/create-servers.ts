import type { Health } from './admin/probes.ts';
import { createAdminServer } from './admin/server.ts';
import { banPolicyOf } from './config/ban-settings.ts';
import { createPortal, portalPagesUrl } from './create-portal.ts';
import type { ApiServer } from './http-api/server.ts';
import type { OpenConsole } from './open/open-console.ts';
import type { Certificates } from './open/open-certificates.ts';
import type { OpenPortal } from './open/open-portal.ts';
import type { Storage } from './open/open-storage.ts';
import { createAddressLimiter } from './pipeline/caller/address-limiter.ts';
import { createClientAddress } from './pipeline/caller/client-address.ts';
import { VouchedKeys } from './pipeline/caller/vouched-keys.ts';
import { endpointsDocument } from './pipeline/endpoints/document.ts';
import { createRecordHistory } from './pipeline/history-record.ts';
import { createPipeline, type Pipeline, type PipelineSettings } from './pipeline/index.ts';
import { createQuotaThresholds } from './pipeline/quota-thresholds.ts';
import { createNoteRefusal } from './pipeline/refusal-record.ts';
import { TunnelRegistry } from './pipeline/websocket/tunnel-registry.ts';
import { createPublicServer, type PublicServer } from './server/public-server.ts';
import { urlOf } from './server/listener.ts';
import type { StartContext } from './start-context.ts';
import type { System } from './system/system.ts';
import { publicDocument } from './upstreams/public-document/public-document.ts';
import { allWebhooks } from './upstreams/public-document/webhooks.ts';
import type { Route } from './upstreams/upstream.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface Servers {
  readonly publicServer: PublicServer;
  readonly adminServer: ApiServer;
  /** Null if it is not enabled. */
  readonly portalServer: ApiServer | null;
}

/** What was opened for the servers. */
export interface Opened {
  readonly storage: Storage;
  readonly routes: readonly Route[];
  readonly console: OpenConsole;
  /** Null if it is not enabled. */
  readonly portal: OpenPortal | null;
  readonly system: System;
  readonly certificates: Certificates;
  readonly webhooks: Webhooks;
  readonly health: () => Health;
}

/** Builds the request path and the servers; none listens yet. */
export function createServers(context: StartContext, opened: Opened): Servers {
  const { storage, routes, console, portal, system, certificates, webhooks, health } = opened;
  const { config, logger, clock, metrics } = context;
  const { failedAttempts, within: withinMs } = config.guard;
  const addressLimiter = createAddressLimiter({ limit: failedAttempts, withinMs }, clock);
  const { maxTunnels: maxPerKey, tunnelIdle: idleMs } = config.edge;
  const tunnels = new TunnelRegistry({ maxPerKey, idleMs, logger });
  const clientAddress = createClientAddress(config.trustedProxies);
  const vouchedKeys = new VouchedKeys();
  const document = publicDocument(config.upstreams, endpointsDocument());
  const shared = { addressLimiter, clientAddress, tunnels, vouchedKeys, publicDocument: document };
  const pipeline = assemblePipeline(context, storage, routes, shared);
  const publicServer = createPublicServer(config.edge, {
    pipeline,
    tunnels,
    addressLimiter,
    logger,
    metrics: metrics.requests,
    certificate: certificates.public,
  });
  const { server } = publicServer;
  const called = { server, vouchedKeys, clientAddress, publicDocument: document, served: routes, webhooks };
  const portalServer =
    portal === null ? null : createPortal(context, storage, portal, { ...called, certificate: certificates.portal });
  const adminServer = createAdminServer({
    registry: storage.registry,
    store: metrics.admission.observed(storage.counters.store),
    history: storage.history.store,
    historyKeep: config.history.keep,
    tokens: storage.tokens,
    sessions: storage.sessions,
    accounts: storage.accounts,
    events: storage.events,
    serviceEvents: storage.serviceEvents,
    webhooks,
    serviceWebhooks: allWebhooks(config.upstreams),
    portalUrl: () => portalPagesUrl(portalServer, config.portal),
    clientAddress,
    ...console,
    served: routes,
    system,
    publicListensAt: () => urlOf(publicServer.server),
    health,
    metrics: metrics.scrape,
    certificate: certificates.admin,
    logger,
    clock,
  });
  return { publicServer, adminServer, portalServer };
}

function assemblePipeline(
  { config, logger, clock, metrics }: StartContext,
  { credentialCache, counters, bans, history, events }: Storage,
  routes: readonly Route[],
  shared: Pick<PipelineSettings, 'addressLimiter' | 'clientAddress' | 'tunnels' | 'vouchedKeys' | 'publicDocument'>,
): Pipeline {
  const { publicRequests, within: withinMs } = config.guard;
  const recordHistory = createRecordHistory(history.recorder);
  const noteRefusal = createNoteRefusal({ collector: history.refusals, banPolicy: banPolicyOf(config.bans), clock });
  return createPipeline({
    ...shared,
    routes,
    history: history.store,
    historyKeep: config.history.keep,
    credentialCache,
    store: counters.store,
    publicLimiter: createAddressLimiter({ limit: publicRequests, withinMs }, clock),
    corsOrigins: config.cors.origins,
    dropHeaders: config.edge.dropHeaders,
    clock,
    logger,
    ietfHeaders: config.rateLimitHeaders.includes('ietf'),
    afterSunset: config.afterSunset,
    onEnded(exchange, now) {
      metrics.ended(exchange, now);
      recordHistory(exchange, now);
      noteRefusal(exchange, now);
    },
    onDecided: createQuotaThresholds(events.note),
    onBanned: bans.noticed,
  });
}
