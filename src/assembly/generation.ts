import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from './context.ts';
import { addressLimits, portalPagesUrl, type PublicListener } from './listeners.ts';
import type { Background } from './services.ts';
import type { Records } from './storage.ts';
import { waitAtMost } from '../base/awaitable.ts';
import { StartError, StoreUnavailable } from '../base/error-types.ts';
import type { JsonObject } from '../base/json.ts';
import { banPolicyOf } from '../config/ban-settings.ts';
import type { Live } from '../config/config.ts';
import type { Prepared, Reloading } from '../config/reloading.ts';
import { type AdminToken, resolveAdminTokens } from '../control-plane/admin/access/admin-tokens.ts';
import { createAdmin } from '../control-plane/admin/admin-app.ts';
import type { OpenConsole } from '../control-plane/admin/open-console.ts';
import type { Health } from '../control-plane/admin/resources/probes.ts';
import type { ApiServer } from '../control-plane/api-server/server.ts';
import { createQuotaThresholds } from '../control-plane/events/quota-thresholds.ts';
import {
  createEndpoints,
  endpointsDocument,
  prepareBytes,
} from '../control-plane/gateway-endpoints/endpoint-handlers.ts';
import type { History } from '../control-plane/history/open-history.ts';
import { createNoteRefusal, createRecordHistory } from '../control-plane/history/recording/record-request.ts';
import { apiCatalog, NO_APIS } from '../control-plane/portal/front/api-catalog.ts';
import type { OpenPortal } from '../control-plane/portal/open-portal.ts';
import type { AddressRefusals } from '../control-plane/registry/address-refusals.ts';
import type { AutomaticBans } from '../control-plane/registry/automatic-bans.ts';
import { createPlansIncluding, type PlansIncluding } from '../control-plane/registry/plans-including.ts';
import type { System } from '../control-plane/system/system-info.ts';
import { strikesForBan } from '../data-plane/admission/ban-rules.ts';
import type { OpenStore } from '../data-plane/admission/store.ts';
import type { CredentialCache } from '../data-plane/credentials/credential-cache.ts';
import { ForeignHashes } from '../data-plane/credentials/foreign-keys.ts';
import { createDataPlane, type DataPlane } from '../data-plane/data-plane.ts';
import type { Upstreams } from '../data-plane/open-upstream.ts';
import type { Route } from '../data-plane/upstreams/upstream.ts';
import {
  type ClientAddress,
  createClientAddress,
  createIsTrustedProxy,
  type TrustedProxies,
  warnOfMalformedAddress,
} from '../http/addresses.ts';
import { urlOf } from '../http/http-server.ts';
import { redactForeignKeys } from '../http/redact-keys.ts';
import { allWebhooks } from '../openapi/delivered-webhooks.ts';
import { prepareRouter } from '../openapi/operation-router.ts';
import { PublicDocuments } from '../openapi/public-document.ts';

interface OpenedPortal {
  readonly pages: OpenPortal;
  readonly server: ApiServer;
}

/** What every generation is built from: it stays open across reloads. */
export interface Parts {
  readonly records: Records;
  readonly counters: OpenStore;
  readonly history: History;
  readonly credentials: CredentialCache;
  readonly bans: AutomaticBans;
  readonly addressRefusals: AddressRefusals;
  readonly background: Background;
  readonly upstreams: Upstreams;
  readonly trustedProxies: TrustedProxies;
  readonly publicListener: PublicListener;
  readonly adminServer: ApiServer;
  readonly console: OpenConsole;
  /** Null if the portal is not enabled. */
  readonly portal: OpenedPortal | null;
  readonly system: System;
  readonly health: () => Health;
  readonly reloading: Reloading;
}

/** Maximum number at a time: the one that serves, and earlier ones whose last request is not over. */
const MAX_GENERATIONS = 3;

/** The generation that serves, earlier ones that still have requests, and the preparation of the next one. */
export class Generations {
  readonly #context: Context;
  readonly #parts: Parts;
  readonly #shared: Shared;
  /** In the order in which they took over; the last one serves. Each with the end of its last request. */
  readonly #alive = new Map<Generation, Promise<void>>();

  constructor(context: Context, parts: Parts) {
    this.#context = context;
    this.#parts = parts;
    this.#shared = createShared(context, parts);
  }

  /** @returns the tokens of the admin API */
  start(): readonly AdminToken[] {
    const { upstreams } = this.#parts;
    const generation = this.#create(this.#context.inForce.live, upstreams.routes);
    this.#use(generation);
    return generation.tokens;
  }

  /** @throws StartError if the configuration cannot be used, or too many earlier ones still have requests */
  readonly prepare = async (live: Live, withinMs: number): Promise<Prepared> => {
    const giveUpAt = performance.now() + withinMs;
    await this.#waitForRoom(withinMs);
    const { upstreams } = this.#parts;
    const leftMs = Math.max(0, giveUpAt - performance.now());
    const opened = await upstreams.prepare(live.upstreams, live.edge.maxBody, leftMs);
    try {
      await this.#prepareInTurns(live, opened.routes);
      const generation = this.#create(live, opened.routes);
      return { use: () => this.#use(generation, opened.use()), discard: () => opened.discard() };
    } catch (error) {
      await opened.discard();
      throw error;
    }
  };

  /** What takes long with thousands of operations, while requests are served: `#create` then finds it done. */
  async #prepareInTurns(live: Live, routes: readonly Route[]): Promise<void> {
    await prepareBytes(await this.#shared.publicDocuments.prepare(documentSources(live)));
    await prepareRouter(routes);
    await nextTurn();
  }

  #create(live: Live, routes: readonly Route[]): Generation {
    return new Generation(this.#context, this.#parts, this.#shared, live, routes);
  }

  async #waitForRoom(limitMs: number): Promise<void> {
    const replaced = [...this.#alive.values()].slice(0, -1);
    if (this.#alive.size < MAX_GENERATIONS || (await waitAtMost(limitMs, Promise.race(replaced)))) return;
    throw new StartError(
      `requests of ${replaced.length} earlier configurations are still running: reload again when they are over, or ` +
        'restart the gateway',
    );
  }

  /** @param closeUnused closes the services that only the one before uses */
  #use(generation: Generation, closeUnused = () => Promise.resolve()): void {
    const [before] = [...this.#alive.keys()].slice(-1);
    generation.use();
    this.#alive.set(generation, Promise.resolve());
    if (before === undefined) return;
    const end = before.dataPlane.idle().then(() => {
      this.#alive.delete(before);
      before.dataPlane.retire();
    });
    this.#alive.set(before, end);
    void end.then(closeUnused);
  }
}

type Shared = ReturnType<typeof createShared>;

/** What observes requests of every generation, and documents that later generations use again. */
function createShared({ metrics, logger }: Context, { records, counters, history, bans }: Parts) {
  return {
    publicDocuments: new PublicDocuments(endpointsDocument()),
    foreignHashes: new ForeignHashes(records.registry, (error) => {
      if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'reading keys and plans failed');
    }),
    observers: [metrics.requests.observe, metrics.admission.observe, createRecordHistory(history.recorder)],
    decisionObservers: [createQuotaThresholds(records.events.note), bans.observe],
    observedStore: metrics.admission.observed(counters.store),
  };
}

/** Everything that a reload replaces: the data plane, the admin API and the portal, for one `Live` and its routes. */
export class Generation {
  readonly dataPlane: DataPlane;
  readonly tokens: readonly AdminToken[];
  readonly #context: Context;
  readonly #parts: Parts;
  readonly #live: Live;
  readonly #shown: ReturnType<typeof shownToAll>;

  /** Built beside the one that serves. @throws StartError if the configuration cannot be used */
  constructor(context: Context, parts: Parts, shared: Shared, live: Live, routes: readonly Route[]) {
    const { fixed, logger, clock } = context;
    const served = {
      live,
      routes,
      publicDocument: shared.publicDocuments.of(documentSources(live)),
      clientAddress: createClientAddress(live.trustedProxies, warnOfMalformedAddress(logger)),
      plansIncluding: createPlansIncluding(parts.records.registry, live.portal.requestablePlans, clock),
    };
    this.#context = context;
    this.#parts = parts;
    this.#live = live;
    this.tokens = resolveAdminTokens({ fromEnvironment: live.adminToken, dataDir: fixed.dataDir }, live.adminTokens);
    this.dataPlane = openDataPlane(context, parts, shared, served);
    this.#shown = shownToAll(context, parts, shared, served);
  }

  /** Takes over, between one request and the next. */
  use(): void {
    const { publicListener, adminServer, portal, trustedProxies, upstreams } = this.#parts;
    const live = this.#live;
    redactForeignKeys(live.keys.foreign);
    this.#context.metrics.requests.addUpstreams(upstreams.all.map(({ name }) => name));
    const limits = addressLimits(live);
    publicListener.addressLimiter.adjust(limits.failedAttempts);
    publicListener.publicLimiter.adjust(limits.publicRequests);
    trustedProxies.replace(live.trustedProxies);
    publicListener.server.use(this.dataPlane);
    adminServer.use(() => this.#createAdmin());
    portal?.server.use(() => this.#createPortal(portal));
  }

  #createAdmin(): Promise<RequestListener> {
    const { fixed, metrics } = this.#context;
    const { adminServer, console, portal, system, health, reloading, publicListener } = this.#parts;
    return createAdmin({
      ...this.#shown,
      ...adminServer.listener,
      ...console,
      tokens: this.tokens,
      serviceWebhooks: allWebhooks(this.#live.upstreams),
      portalUrl: () => portalPagesUrl(portal?.server ?? null, fixed),
      system,
      reload: reloading.reload,
      publicListensAt: () => urlOf(publicListener.server.server),
      health,
      metrics: metrics.scrape,
    });
  }

  #createPortal({ pages, server }: OpenedPortal): Promise<RequestListener> {
    const { fixed } = this.#context;
    const { publicListener } = this.#parts;
    const live = this.#live;
    const callLimits = {
      bans: banPolicyOf(fixed.bans),
      edge: { ...fixed.edge, ...live.edge },
      upstreams: live.upstreams.map(({ maxBody, service }) => ({ maxBody, ...service })),
      rotation: live.rotation,
    };
    const { server: called } = publicListener.server;
    return pages.create({ ...this.#shown, ...server.listener, callLimits }, live.portal, {
      server: called,
      tryItConnections: publicListener.tryItConnections,
      apiUrl: () => live.portal.apiUrl ?? urlOf(called),
    });
  }
}

/** What the parts of one generation serve. */
interface Served {
  readonly live: Live;
  readonly routes: readonly Route[];
  readonly publicDocument: JsonObject;
  readonly clientAddress: ClientAddress;
  readonly plansIncluding: PlansIncluding;
}

/** What admin API and portal show of the request path. */
function shownToAll(
  { fixed, logger, clock }: Context,
  { records, history, background }: Parts,
  { observedStore }: Shared,
  { live, routes, publicDocument, clientAddress, plansIncluding }: Served,
) {
  const banPolicy = banPolicyOf(fixed.bans);
  return {
    ...records,
    store: observedStore,
    history: history.store,
    historyRetention: fixed.history.keep,
    maxGraceMs: live.rotation.maxGrace,
    webhooks: background.webhooks.webhooks,
    clientAddress,
    publicDocument,
    banTermsOf: (minuteLimit: number) => ({ ...banPolicy, strikes: strikesForBan(minuteLimit, banPolicy) }),
    plansIncluding,
    served: routes,
    services: live.upstreams,
    logger,
    clock,
  };
}

function openDataPlane(
  context: Context,
  { records, counters, history, credentials, background, addressRefusals, publicListener, portal }: Parts,
  { foreignHashes, observers, decisionObservers }: Shared,
  { live, routes, publicDocument, clientAddress, plansIncluding }: Served,
): DataPlane {
  const { fixed, logger, clock } = context;
  const { selfRevoke } = live.keys;
  const banPolicy = banPolicyOf(fixed.bans);
  const noteRefusal = createNoteRefusal({
    collector: history.refusals,
    strikesForBan: (minuteLimit) => strikesForBan(minuteLimit, banPolicy),
    strikesWithinMs: banPolicy.withinMs,
    clock,
  });
  return createDataPlane({
    routes,
    credentials,
    tryItConnections: publicListener.tryItConnections,
    admission: counters.store,
    addressLimiter: publicListener.addressLimiter,
    publicLimiter: publicListener.publicLimiter,
    tunnels: publicListener.tunnels,
    endpointLimits: publicListener.endpointLimits,
    findEndpoint: createEndpoints({
      history: history.store,
      historyRetention: fixed.history.keep,
      publicDocument,
      operations: routes.map(({ operation }) => operation),
      plansIncluding,
      registry: records.registry,
      selfRevoke,
      clock,
    }),
    plansIncluding,
    apiCatalog:
      portal !== null && live.portal.public ? createApiCatalogText(context, live, publicListener, portal) : null,
    onAddressRefused: addressRefusals.observe,
    selfRevoke,
    foreignKeys: live.keys.foreign,
    foreignHashes,
    observers: [...observers, noteRefusal],
    decisionObservers,
    tracing: background.tracing,
    clientAddress,
    isTrustedProxy: createIsTrustedProxy(live.trustedProxies),
    corsOrigins: live.cors.origins,
    dropHeaders: live.edge.dropHeaders,
    ietfHeaders: live.rateLimitHeaders.includes('ietf'),
    afterSunset: live.afterSunset,
    clock,
    logger,
  });
}

/** Addresses are known once the listeners listen, and do not change after that. */
function createApiCatalogText(
  { fixed }: Context,
  live: Live,
  { server: { server } }: PublicListener,
  portal: OpenedPortal,
): () => string {
  let text: string | null = null;
  return () => {
    const portalUrl = portalPagesUrl(portal.server, fixed);
    if (portalUrl === null) return NO_APIS;
    return (text ??= apiCatalog(live.portal.apiUrl ?? urlOf(server), portalUrl));
  };
}

/** The documents, with the headers that the gateway itself sends to each service. */
function documentSources({ upstreams }: Live) {
  return upstreams.map(({ service, ...upstream }) => {
    return { ...upstream, headers: 'headers' in service ? service.headers : undefined };
  });
}
