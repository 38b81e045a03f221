import type { RequestListener } from 'node:http';
import type { Context } from './context.ts';
import { toAddressLimits, findPortalPagesUrl, type PublicListener } from './listeners.ts';
import type { Background } from './services.ts';
import type { Records } from './storage.ts';
import { MINUTE_MS } from '../base/time.ts';
import { StoreUnavailable } from '../base/error-types.ts';
import type { JsonObject } from '../base/json.ts';
import { toBanPolicy } from '../config/ban-settings.ts';
import type { LiveConfig } from '../config/config.ts';
import type { Previewing } from './previewing.ts';
import type { Reloading } from './reloading.ts';
import { type AdminToken, resolveAdminTokens } from '../control-plane/admin/access/admin-tokens.ts';
import { createAdmin } from '../control-plane/admin/admin-app.ts';
import type { OpenConsole } from '../control-plane/admin/open-console.ts';
import type { Health } from '../control-plane/admin/resources/probes.ts';
import type { ApiServer } from '../control-plane/api-server/server.ts';
import { DocumentComparisons } from '../control-plane/documents/document-comparisons.ts';
import { createInvalidCallEvents } from '../control-plane/events/invalid-calls.ts';
import { createThresholdObserver } from '../control-plane/events/quota-thresholds.ts';
import { createEndpointFinder, readEndpointsDocument } from '../control-plane/gateway-endpoints/endpoint-handlers.ts';
import type { History } from '../control-plane/history/open-history.ts';
import { createRefusalRecorder, createHistoryRecorder } from '../control-plane/history/recording/record-request.ts';
import { formatApiCatalog, EMPTY_CATALOG } from '../control-plane/portal/front/api-catalog.ts';
import type { OpenPortal } from '../control-plane/portal/open-portal.ts';
import type { AddressRefusals } from '../control-plane/registry/address-refusals.ts';
import type { AutomaticBans } from '../control-plane/registry/automatic-bans.ts';
import { createPlanFinder, type FindPlansIncluding } from '../control-plane/registry/plans-including.ts';
import type { System } from '../control-plane/system/system-info.ts';
import { computeStrikesForBan } from '../data-plane/admission/ban-rules.ts';
import type { OpenStore } from '../data-plane/admission/store.ts';
import type { CredentialCache } from '../data-plane/credentials/credential-cache.ts';
import { ForeignHashes } from '../data-plane/credentials/foreign-keys.ts';
import { listKeyOnlyHeaders } from '../data-plane/credentials/presented-key.ts';
import { createDataPlane, type DataPlane } from '../data-plane/data-plane.ts';
import type { Tokens } from '../data-plane/tokens/open-tokens.ts';
import type { TokenVerifier } from '../data-plane/tokens/token-verifier.ts';
import type { Upstreams } from '../data-plane/upstreams/open-upstream.ts';
import type { Route } from '../data-plane/upstreams/upstream.ts';
import {
  type ClientAddress,
  createClientAddress,
  createIsTrustedProxy,
  type TrustedProxies,
  createMalformedAddressWarning,
} from '../http/addresses.ts';
import { CallLimiter } from '../http/call-limiter.ts';
import { formatUrl } from '../http/http-server.ts';
import { redactForeignKeys, redactTokens } from '../http/redact-keys.ts';
import { allWebhooks } from '../openapi/delivered-webhooks.ts';
import { PublicDocuments } from '../openapi/public-document.ts';

interface OpenedPortal {
  readonly pages: OpenPortal;
  readonly server: ApiServer;
}

/** Parts that all generations share. They stay open across reloads. */
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
  readonly previewing: Previewing;
  readonly reloading: Reloading;
  readonly tokens: Tokens;
}

/** Objects that all generations share: observers of requests, and cached documents. */
export type SharedObjects = ReturnType<typeof createSharedObjects>;

/** How many callers one gateway creates for each issuer of tokens. */
const REGISTRATIONS = { limit: 60, withinMs: MINUTE_MS };

export function createSharedObjects({ metrics, logger, clock }: Context, { records, counters, history, bans }: Parts) {
  return {
    publicDocuments: new PublicDocuments(readEndpointsDocument()),
    foreignHashes: new ForeignHashes(records.registry, (error) => {
      if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'reading keys and plans failed');
    }),
    callers: records.accounts,
    comparisons: new DocumentComparisons(),
    registrations: new CallLimiter(REGISTRATIONS, clock),
    observers: [metrics.requests.observe, metrics.admission.observe, createHistoryRecorder(history.recorder)],
    validationObservers: [
      metrics.validation.observe,
      history.violations.observe,
      createInvalidCallEvents(records.events.note, clock),
    ],
    decisionObservers: [createThresholdObserver(records.events.note), bans.observe],
    /** The counter store for operators. It counts the bans that they start and lift. */
    observedStore: metrics.admission.observed(counters.store),
  };
}

/** Everything that a reload replaces: the data plane, the admin API and the portal of one configuration. */
export class Generation {
  readonly dataPlane: DataPlane;
  readonly tokens: readonly AdminToken[];
  readonly #context: Context;
  readonly #parts: Parts;
  readonly #live: LiveConfig;
  readonly #verifier: TokenVerifier | null;
  readonly #apiDependencies: ReturnType<typeof createApiDependencies>;

  /**
   * Builds a generation, while an earlier generation may still be serving requests. @throws StartError if the
   * configuration cannot be used
   */
  constructor(
    context: Context,
    parts: Parts,
    sharedObjects: SharedObjects,
    input: Pick<GenerationInput, 'live' | 'routes' | 'publicDocument' | 'verifier'>,
  ) {
    const { fixed, logger, clock } = context;
    const { live } = input;
    const served = {
      ...input,
      clientAddress: createClientAddress(live.trustedProxies, createMalformedAddressWarning(logger)),
      plansIncluding: createPlanFinder(parts.records.registry, live.portal.requestablePlans, clock),
    };
    this.#context = context;
    this.#parts = parts;
    this.#live = live;
    this.#verifier = input.verifier;
    this.tokens = resolveAdminTokens({ fromEnvironment: live.adminToken, dataDir: fixed.dataDir }, live.adminTokens);
    this.dataPlane = openDataPlane(context, parts, sharedObjects, served);
    this.#apiDependencies = createApiDependencies(context, parts, sharedObjects, served);
  }

  /**
   * Makes this generation serve all new requests. Nothing here is asynchronous, so no request sees half of the change.
   */
  use(): void {
    const { publicListener, adminServer, portal, trustedProxies, upstreams, tokens } = this.#parts;
    const live = this.#live;
    redactForeignKeys(live.keys.foreign);
    redactTokens(this.#verifier !== null);
    tokens.use(this.#verifier);
    this.#context.metrics.requests.addUpstreams(upstreams.all.map(({ name }) => name));
    const limits = toAddressLimits(live);
    publicListener.addressLimiter.adjust(limits.failedAttempts);
    publicListener.publicLimiter.adjust(limits.publicRequests);
    publicListener.bodyBudget.adjust(live.validation.maxBuffered);
    trustedProxies.replace(live.trustedProxies);
    publicListener.server.use(this.dataPlane);
    adminServer.use(() => this.#createAdmin());
    portal?.server.use(() => this.#createPortal(portal));
  }

  async #createAdmin(): Promise<RequestListener> {
    const { fixed, metrics } = this.#context;
    const { adminServer, console, portal, system, health, previewing, reloading, publicListener, tokens } = this.#parts;
    return createAdmin({
      ...this.#apiDependencies,
      ...adminServer.listener,
      ...console,
      tokens: this.tokens,
      tokenIssuers: this.#live.tokens,
      reportIssuers: () => tokens.report(),
      defaultPlan: this.#live.portal.plan,
      serviceWebhooks: await allWebhooks(this.#live.upstreams),
      portalUrl: () => findPortalPagesUrl(portal?.server ?? null, fixed),
      system,
      reload: reloading.reload,
      previewReload: previewing.previewReload,
      publicListensAt: () => formatUrl(publicListener.server.server),
      health,
      metrics: metrics.scrape,
    });
  }

  #createPortal({ pages, server }: OpenedPortal): Promise<RequestListener> {
    const { fixed } = this.#context;
    const { publicListener } = this.#parts;
    const live = this.#live;
    const callLimits = {
      bans: toBanPolicy(fixed.bans),
      edge: { ...fixed.edge, ...live.edge },
      upstreams: live.upstreams.map(({ maxBody, service }) => ({ maxBody, ...service })),
      rotation: live.rotation,
    };
    const { server: called } = publicListener.server;
    return pages.create({ ...this.#apiDependencies, ...server.listener, callLimits }, live.portal, {
      server: called,
      tryItConnections: publicListener.tryItConnections,
      apiUrl: () => live.portal.apiUrl ?? formatUrl(called),
    });
  }
}

/** Values that the parts of one generation share. */
interface GenerationInput {
  readonly live: LiveConfig;
  readonly routes: readonly Route[];
  readonly publicDocument: JsonObject;
  readonly clientAddress: ClientAddress;
  readonly plansIncluding: FindPlansIncluding;
  /** Null if no access tokens are accepted. */
  readonly verifier: TokenVerifier | null;
}

/** Dependencies of both the admin API and the portal. */
function createApiDependencies(
  { fixed, logger, clock }: Context,
  { records, history, background }: Parts,
  { observedStore, comparisons }: SharedObjects,
  { live, routes, publicDocument, clientAddress, plansIncluding }: GenerationInput,
) {
  const banPolicy = toBanPolicy(fixed.bans);
  return {
    ...records,
    store: observedStore,
    history: history.store,
    historyRetention: fixed.history.keep,
    maxGraceMs: live.rotation.maxGrace,
    webhooks: background.webhooks.webhooks,
    clientAddress,
    publicDocument,
    findBanTerms: (minuteLimit: number) => ({ ...banPolicy, strikes: computeStrikesForBan(minuteLimit, banPolicy) }),
    plansIncluding,
    served: routes,
    services: live.upstreams,
    comparisons,
    logger,
    clock,
  };
}

function openDataPlane(
  context: Context,
  { records, counters, history, credentials, background, addressRefusals, publicListener, portal, tokens }: Parts,
  { foreignHashes, observers, decisionObservers, validationObservers, callers, registrations }: SharedObjects,
  { live, routes, publicDocument, clientAddress, plansIncluding, verifier }: GenerationInput,
): DataPlane {
  const { fixed, logger, clock } = context;
  const { selfRevoke } = live.keys;
  const banPolicy = toBanPolicy(fixed.bans);
  const noteRefusal = createRefusalRecorder({
    collector: history.refusals,
    strikesForBan: (minuteLimit) => computeStrikesForBan(minuteLimit, banPolicy),
    strikesWithinMs: banPolicy.withinMs,
    clock,
  });
  return createDataPlane({
    routes,
    credentialCache: credentials,
    tryItConnections: publicListener.tryItConnections,
    store: counters.store,
    inFlight: publicListener.inFlight,
    maxCheckedBytes: live.validation.maxBody,
    bodyBudget: publicListener.bodyBudget,
    validationObservers,
    addressLimiter: publicListener.addressLimiter,
    publicLimiter: publicListener.publicLimiter,
    tunnels: publicListener.tunnels,
    endpointLimiters: publicListener.endpointLimits,
    findEndpoint: createEndpointFinder({
      history: history.store,
      historyRetention: fixed.history.keep,
      publicDocument,
      operations: routes.map(({ operation }) => operation),
      plansIncluding,
      registry: records.registry,
      selfRevoke,
      clock,
    }),
    findPlansIncluding: plansIncluding,
    getApiCatalog:
      portal !== null && live.portal.public ? createApiCatalogText(context, live, publicListener, portal) : null,
    onAddressRefused: addressRefusals.observe,
    selfRevoke,
    tokens:
      verifier === null
        ? null
        : { callers, registrations, verifier, apiUrl: live.portal.apiUrl, defaultPlan: live.portal.plan },
    findVerifier: () => tokens.current,
    foreignKeys: live.keys.foreign,
    foreignHashes,
    observers: [...observers, noteRefusal],
    decisionObservers,
    tracing: background.tracing,
    clientAddress,
    isTrustedProxy: createIsTrustedProxy(live.trustedProxies),
    corsOrigins: live.cors.origins,
    exposedHeaders: live.cors.expose,
    dropHeaders: live.edge.dropHeaders,
    ietfHeaders: live.rateLimitHeaders.includes('ietf'),
    afterSunset: live.afterSunset,
    clock,
    logger,
  });
}

/**
 * Creates the text of the API catalog on first use, because the gateway's addresses are known only once its ports are
 * open. They do not change after that.
 */
function createApiCatalogText(
  { fixed }: Context,
  live: LiveConfig,
  { server: { server } }: PublicListener,
  portal: OpenedPortal,
): () => string {
  let text: string | null = null;
  return () => {
    const portalUrl = findPortalPagesUrl(portal.server, fixed);
    if (portalUrl === null) return EMPTY_CATALOG;
    return (text ??= formatApiCatalog(live.portal.apiUrl ?? formatUrl(server), portalUrl));
  };
}

/** The documents of the services, each with the headers that consumers cannot send to that service. */
export function listDocumentSources({ upstreams, keys }: LiveConfig) {
  const keyHeaders = Object.fromEntries(listKeyOnlyHeaders(keys.foreign).map((name) => [name, '']));
  return upstreams.map(({ service, ...upstream }) => {
    return { ...upstream, headers: { ...keyHeaders, ...('headers' in service ? service.headers : {}) } };
  });
}
