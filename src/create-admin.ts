import type { RequestListener } from 'node:http';
import type { AdminToken } from './control-plane/admin/access/admin-token.ts';
import { createAdmin as createApp } from './control-plane/admin/app.ts';
import { portalPagesUrl } from './create-portal.ts';
import type { ApiServer } from './control-plane/api/server.ts';
import type { ClientAddress } from './http/addresses.ts';
import { urlOf } from './http/http-server.ts';
import type { PublicServer } from './data-plane/listener/public-server.ts';
import type { Opened } from './opened.ts';
import type { StartContext } from './start-context.ts';
import { allWebhooks } from './openapi/delivered-webhooks.ts';
import type { Route } from './data-plane/upstreams/upstream.ts';

/** What the admin API shows of the request path, and who may call it. */
interface Shown {
  readonly tokens: readonly AdminToken[];
  readonly served: readonly Route[];
  readonly clientAddress: ClientAddress;
  readonly publicServer: PublicServer;
  readonly adminServer: ApiServer;
  readonly portalServer: ApiServer | null;
}

/** Builds the admin API, as one configuration has it. */
export function createAdmin(
  { config, logger, clock, metrics }: StartContext,
  { storage, console, system, webhooks, health, reload }: Opened,
  { tokens, served, clientAddress, publicServer, adminServer, portalServer }: Shown,
): RequestListener {
  return createApp({
    ...adminServer.listener,
    ...console,
    registry: storage.registry,
    store: metrics.admission.observed(storage.counters.store),
    history: storage.history.store,
    historyKeep: config.history.keep,
    tokens,
    sessions: storage.sessions,
    accounts: storage.accounts,
    events: storage.events,
    serviceEvents: storage.serviceEvents,
    webhooks,
    serviceWebhooks: allWebhooks(config.upstreams),
    portalUrl: () => portalPagesUrl(portalServer, config.portal),
    clientAddress,
    served,
    system,
    reload,
    publicListensAt: () => urlOf(publicServer.server),
    health,
    metrics: metrics.scrape,
    logger,
    clock,
  });
}
