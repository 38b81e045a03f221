import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from './context.ts';
import { addressLimits, portalPagesUrl, type PublicListener } from './listeners.ts';
import type { Background } from './services.ts';
import type { Records } from './storage.ts';
import { StoreUnavailable } from '../base/error-types.ts';
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
import type { AdmissionStore } from '../data-plane/admission/store.ts';
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

/** What every generation is built from: it stays open across reloads. */
export interface Parts {
  readonly records: Records;
  readonly store: AdmissionStore;
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
  readonly portal: { readonly pages: OpenPortal; readonly server: ApiServer } | null;
  readonly system: System;
  readonly health: () => Health;
  readonly reloading: Reloading;
}

/** Everything that a reload replaces: the data plane, the admin API and the portal, for one `Live` and its routes. */
interface Generation {
  readonly dataPlane: DataPlane;
  readonly tokens: readonly AdminToken[];
  /** Takes over, between one request and the next. */
  use(): void;
}

/** The generation that serves, and the preparation of the next one beside it. */
export class Generations {
  readonly #context: Context;
  readonly #parts: Parts;
  readonly #shared: ReturnType<typeof createShared>;
  #current: Generation | null = null;

  constructor(context: Context, parts: Parts) {
    this.#context = context;
    this.#parts = parts;
    this.#shared = createShared(context, parts);
  }

  /** @returns the tokens of the admin API */
  start(): readonly AdminToken[] {
    const generation = this.#create(this.#context.inForce.live, this.#parts.upstreams.routes);
    void this.#use(generation);
    return generation.tokens;
  }

  /** @throws StartError if the configuration cannot be used */
  readonly prepare = async (live: Live, withinMs: number): Promise<Prepared> => {
    const opened = await this.#parts.upstreams.prepare(live.upstreams, live.edge.maxBody, withinMs);
    try {
      await this.#prepareInTurns(live, opened.routes);
      const generation = this.#create(live, opened.routes);
      const use = () => {
        const closeUnused = opened.use();
        void this.#use(generation).then(closeUnused);
      };
      return { use, discard: () => opened.discard() };
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
    return createGeneration(this.#context, this.#parts, this.#shared, live, routes);
  }

  /** @returns resolves once the last request that had begun before is over */
  #use(generation: Generation): Promise<void> {
    const before = this.#current;
    this.#current = generation;
    generation.use();
    return before === null ? Promise.resolve() : before.dataPlane.idle();
  }
}

/** What observes requests of every generation, and documents that later generations use again. */
function createShared({ metrics, logger }: Context, { records, store, history, bans }: Parts) {
  return {
    publicDocuments: new PublicDocuments(endpointsDocument()),
    foreignHashes: new ForeignHashes(records.registry, (error) => {
      if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'reading keys and plans failed');
    }),
    observers: [metrics.requests.observe, metrics.admission.observe, createRecordHistory(history.recorder)],
    decisionObservers: [createQuotaThresholds(records.events.note), bans.observe],
    observedStore: metrics.admission.observed(store),
  };
}

/** Builds a generation beside the one that serves. @throws StartError if the configuration cannot be used */
function createGeneration(
  context: Context,
  parts: Parts,
  shared: ReturnType<typeof createShared>,
  live: Live,
  routes: readonly Route[],
): Generation {
  const { fixed, metrics, logger, clock } = context;
  const { publicListener, adminServer, portal, trustedProxies, upstreams, system, reloading } = parts;
  const { records, history, background } = parts;
  const tokens = resolveAdminTokens({ fromEnvironment: live.adminToken, dataDir: fixed.dataDir }, live.adminTokens);
  const publicDocument = shared.publicDocuments.of(documentSources(live));
  const clientAddress = createClientAddress(live.trustedProxies, warnOfMalformedAddress(logger));
  const plansIncluding = createPlansIncluding(records.registry, live.portal.requestablePlans, clock);
  const served: Served = { live, routes, publicDocument, clientAddress, plansIncluding };
  const dataPlane = createDataPlaneOf(context, parts, shared, served);
  const banPolicy = banPolicyOf(fixed.bans);
  const apiUrl = () => live.portal.apiUrl ?? urlOf(publicListener.server.server);

  /** What admin API and portal show of the request path. */
  const shown = {
    ...records,
    store: shared.observedStore,
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

  const createAdminApp = (): Promise<RequestListener> =>
    createAdmin({
      ...shown,
      ...adminServer.listener,
      ...parts.console,
      tokens,
      serviceWebhooks: allWebhooks(live.upstreams),
      portalUrl: () => portalPagesUrl(portal?.server ?? null, fixed),
      system,
      reload: reloading.reload,
      publicListensAt: () => urlOf(publicListener.server.server),
      health: parts.health,
      metrics: metrics.scrape,
    });

  const createPortalApp = ({ pages, server }: NonNullable<Parts['portal']>): Promise<RequestListener> => {
    const callLimits = {
      bans: banPolicy,
      edge: { ...fixed.edge, ...live.edge },
      upstreams: live.upstreams.map(({ maxBody, service }) => ({ maxBody, ...service })),
      rotation: live.rotation,
    };
    const { server: publicServer } = publicListener.server;
    const called = { server: publicServer, tryItConnections: publicListener.tryItConnections, apiUrl };
    return pages.create({ ...shown, ...server.listener, callLimits }, live.portal, called);
  };

  return {
    dataPlane,
    tokens,
    use() {
      redactForeignKeys(live.keys.foreign);
      metrics.requests.addUpstreams(upstreams.all.map(({ name }) => name));
      const limits = addressLimits(live);
      publicListener.addressLimiter.adjust(limits.failedAttempts);
      publicListener.publicLimiter.adjust(limits.publicRequests);
      trustedProxies.replace(live.trustedProxies);
      publicListener.server.use(dataPlane);
      adminServer.use(createAdminApp);
      portal?.server.use(() => createPortalApp(portal));
    },
  };
}

/** What the parts of one generation are made for. */
interface Served {
  readonly live: Live;
  readonly routes: readonly Route[];
  readonly publicDocument: JsonObject;
  readonly clientAddress: ClientAddress;
  readonly plansIncluding: PlansIncluding;
}

function createDataPlaneOf(
  context: Context,
  { records, store, history, credentials, background, addressRefusals, publicListener, portal }: Parts,
  { foreignHashes, observers, decisionObservers }: ReturnType<typeof createShared>,
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
    admission: store,
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
  portal: NonNullable<Parts['portal']>,
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
