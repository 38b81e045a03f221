/**
 * The composition root: the only place where the two planes meet. `openGateway` opens the storage, then what serves,
 * then the listeners. Everything it opens is passed to `shutdown`, which closes it in reverse order.
 */
import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ServiceEvents } from './control-plane/events/service-events.ts';
import { allWebhooks } from './openapi/delivered-webhooks.ts';
import { prepareRouter } from './openapi/operation-router.ts';
import { PublicDocuments } from './openapi/public-document.ts';
import { listen, urlOf } from './http/http-server.ts';
import { redactForeignKeys } from './http/redact-keys.ts';
import {
  type ClientAddress,
  createClientAddress,
  createIsTrustedProxy,
  TrustedProxies,
  warnOfMalformedAddress,
} from './http/addresses.ts';
import { drainLimitMs } from './config/drain-settings.ts';
import { banPolicyOf } from './config/ban-settings.ts';
import { redactSetting } from './config/settings-in-force.ts';
import type { JsonObject } from './base/json.ts';
import { StartError, StoreUnavailable } from './base/error-types.ts';
import { makeFolder } from './storage/sqlite-file.ts';
import type { Clock } from './base/time.ts';
import type { Config, Fixed, Live } from './config/config.ts';
import { InForce } from './config/in-force.ts';
import { readLogo } from './config/logo.ts';
import { type Prepared, Reloading } from './config/reloading.ts';
import { Accounts } from './control-plane/accounts/accounts.ts';
import { type AdminToken, resolveAdminTokens } from './control-plane/admin/access/admin-tokens.ts';
import { createAdmin } from './control-plane/admin/admin-app.ts';
import { createFirstLink, openConsole } from './control-plane/admin/open-console.ts';
import type { Health } from './control-plane/admin/resources/probes.ts';
import type { ReloadConfiguration } from './control-plane/admin/resources/system.ts';
import { ConsoleSessions } from './control-plane/admin/access/console-sessions.ts';
import { joinUrl, type ApiServer, createApiServer } from './control-plane/api-server/server.ts';
import { Events } from './control-plane/events/events.ts';
import { createQuotaThresholds } from './control-plane/events/quota-thresholds.ts';
import { createStoreOutageEvents } from './control-plane/events/store-outage-events.ts';
import {
  endpointsDocument,
  createEndpoints,
  prepareBytes,
} from './control-plane/gateway-endpoints/endpoint-handlers.ts';
import { openHistory } from './control-plane/history/open-history.ts';
import { createNoteRefusal, createRecordHistory } from './control-plane/history/recording/record-request.ts';
import type { RequestsPerMinute } from './control-plane/portal/access/request-limit.ts';
import { apiCatalog, NO_APIS } from './control-plane/portal/front/api-catalog.ts';
import { namedPlans } from './control-plane/portal/named-plans.ts';
import type { PortalForTests } from './control-plane/portal/open-portal.ts';
import { PAGES_PATH } from './control-plane/portal/portal-paths.ts';
import { AddressRefusals } from './control-plane/registry/address-refusals.ts';
import { credentialSource } from './control-plane/registry/use-reports.ts';
import { AutomaticBans } from './control-plane/registry/automatic-bans.ts';
import { banSource } from './control-plane/registry/ban-feed.ts';
import { FirstStart } from './control-plane/registry/first-start.ts';
import { createPlansIncluding } from './control-plane/registry/plans-including.ts';
import { Registry } from './control-plane/registry/registry.ts';
import { openSchedule } from './control-plane/schedule/open-schedule.ts';
import { newGatewayIdentity, openHeartbeat, openSystem } from './control-plane/system/open-system.ts';
import { openWebhooks } from './control-plane/webhooks/open-webhooks.ts';
import { WebhookMetrics } from './control-plane/webhooks/webhook-metrics.ts';
import { strikesForBan } from './data-plane/admission/ban-rules.ts';
import { openStore } from './data-plane/open-store.ts';
import { TryItConnections } from './data-plane/credentials/try-it-connections.ts';
import { ForeignHashes } from './data-plane/credentials/foreign-keys.ts';
import { CredentialCache } from './data-plane/credentials/credential-cache.ts';
import { createDataPlane, type DataPlane } from './data-plane/data-plane.ts';
import { createPublicServer } from './data-plane/listener/public-server.ts';
import { AdmissionMetrics } from './data-plane/observers/admission-metrics.ts';
import { RequestMetrics } from './data-plane/observers/request-metrics.ts';
import { Upstreams } from './data-plane/open-upstream.ts';
import { createEndpointLimits } from './data-plane/steps/gateway-endpoints.ts';
import type { Route } from './data-plane/upstreams/upstream.ts';
import type { CredentialSource } from './data-plane/boundary-types.ts';
import { TunnelRegistry } from './data-plane/websocket/tunnel-registry.ts';
import { createAddressLimiter } from './http/address-limiter.ts';
import { openCertificates } from './http/reloaded-certificate.ts';
import { closeTogether, Shutdown } from './shutdown.ts';
import { openDatabase } from './storage/open.ts';
import { createMetrics, type GatewayMetrics } from './telemetry/metrics/metrics.ts';
import type { DroppedLines } from './telemetry/metrics/scraped-metrics.ts';
import type { StoreMetrics } from './telemetry/metrics/store-metrics.ts';

/** A running gateway. */
export interface Gateway {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** Null if the portal is not enabled. */
  readonly portalUrl: string | null;
  /** Where people open it. */
  readonly portalPagesUrl: string | null;
  /** The secret of the demo key, on the first start of a demo installation. */
  readonly demoKey: string | null;
  /** Where to open the console and be signed in, once, on the first start of an installation on this machine. */
  readonly consoleLink: string | null;
  /** Applies the configuration as it is now. Rejects, and changes nothing, if it cannot be used. */
  readonly reload: ReloadConfiguration;
  /** Stops gracefully: finishes running requests, then saves and closes everything. */
  drain(): Promise<void>;
}

/** What the gateway takes from the process it runs in. */
export interface ProcessContext {
  /** Reads the configuration again. @throws ConfigError */
  readonly loadConfig: (before: Live) => Promise<Config>;
  readonly clock?: Clock | undefined;
  /** The destination of the log's lines; a metric counts those that are lost. */
  readonly log?: DroppedLines;
  /** Folder of the console's files, instead of the build's. */
  readonly consoleFolder?: string;
  /** Folder of the portal's files, instead of the build's. */
  readonly portalFolder?: string;
  /** How often the history is written, for tests that would have to wait for it. */
  readonly historyFlushMs?: number;
  /** How often the last uses of keys are recorded, likewise. */
  readonly lastUsesFlushMs?: number | undefined;
  /** What an account may send to the portal, for tests that would have to send hundreds of requests. */
  readonly portalRequestsPerMinute?: RequestsPerMinute | undefined;
}

/** Builds and starts everything. On failure, closes whatever was opened. */
export async function startGateway(config: Config, logger: Logger, process: ProcessContext): Promise<Gateway> {
  const shutdown = new Shutdown(logger);
  try {
    return await openGateway(config, logger, process, shutdown);
  } catch (error) {
    await shutdown.runWithin(config.fixed.drain.deadline);
    throw error;
  }
}

async function openGateway(
  config: Config,
  logger: Logger,
  context: ProcessContext,
  shutdown: Shutdown,
): Promise<Gateway> {
  const { fixed, live } = config;
  const { dataDir } = fixed;
  const inForce = new InForce(config);
  const { loadConfig, clock = Date.now, log = { dropped: 0 }, consoleFolder, portalFolder } = context;
  const { historyFlushMs, lastUsesFlushMs, portalRequestsPerMinute: requestsPerMinute } = context;
  const metrics = createMetrics();
  const requestMetrics = new RequestMetrics(metrics.registry);
  const admissionMetrics = new AdmissionMetrics(metrics.registry, clock);

  // The storage. In a rolling restart, a gateway starts while the previous one drains, and waits for its files.
  const lockWait = {
    limitMs: drainLimitMs(fixed.drain),
    onWait: (reason: string) => logger.warn({ reason }, 'waiting for a locked database'),
  };
  makeDataDir(dataDir);
  const database = await openDatabase(fixed.database, logger, { dataDir, wait: lockWait });
  shutdown.add('records', () => database.close());
  const registry = new Registry(database);
  const accounts = new Accounts(database, logger);
  const sessions = new ConsoleSessions(database, logger);
  const events = new Events(database, logger);
  const serviceEvents = new ServiceEvents(database, [], clock);
  const recordedBans = banSource(database, clock);
  recordedBans.onChange(admissionMetrics.learnBan);
  const counters = await openStore({
    ...fixed,
    banPolicy: banPolicyOf(fixed.bans),
    lockWait,
    logger,
    clock,
    metrics: metrics.store,
    outages: createStoreOutageEvents(events.note, clock),
    bans: recordedBans,
  });
  shutdown.add('counters', () => counters.close());
  const gateway = newGatewayIdentity();
  const heartbeat = openHeartbeat(database, gateway, fixed, logger);
  let usesRecorded = true;
  shutdown.add('heartbeat', () => heartbeat.stop(usesRecorded));

  // The admin listener is closed late: probes and metrics are served to the end. Nothing listens yet.
  const certificates = openCertificates(fixed, logger);
  shutdown.add('certificates', () => certificates.close());
  const trustedProxies = new TrustedProxies(live.trustedProxies);
  const isTrustedProxy = trustedProxies.includes;
  const apiServer = (section: 'admin' | 'portal') =>
    createApiServer({
      section,
      limits: fixed[section],
      isTrustedProxy,
      clock,
      logger,
      certificate: certificates[section],
    });
  const adminServer = apiServer('admin');
  shutdown.add('admin listener', (remainingMs) => adminServer.drain(remainingMs));

  // What others still publish or write while they close: each is closed after those below it.
  shutdown.add('events', () => events.close());
  const upstreams = new Upstreams(fixed, serviceEvents, logger);
  shutdown.add('upstreams', (remainingMs) => upstreams.close(remainingMs));
  const firstUpstreams = await upstreams.prepare(live.upstreams, live.edge.maxBody);
  await firstUpstreams.use()();
  const history = await openHistory({
    records: fixed.database,
    dataDir,
    keep: fixed.history.keep,
    clock,
    logger,
    waitMs: lockWait.limitMs,
    closeMs: fixed.drain.deadline,
    flushEveryMs: historyFlushMs,
  });
  shutdown.add('history', () => history.close());
  usesRecorded = false;
  const source = credentialSource(registry, database, gateway.id);
  const credentials = openCredentials(source, fixed, { metrics: metrics.store, logger, clock, lastUsesFlushMs });
  shutdown.add('credential cache', async () => {
    usesRecorded = await closeCredentials(credentials, logger);
  });
  const bans = new AutomaticBans(registry, events.note, logger);
  shutdown.add('automatic bans', () => bans.close());
  const addressRefusals = new AddressRefusals(registry, logger);
  shutdown.add('address refusals', () => addressRefusals.close());

  // Background work. Each part may take a second to send or finish something.
  const tracing = await openTraces(fixed, metrics, logger);
  const webhooks = openWebhooks({
    ...fixed.events,
    database,
    serviceEventTypes: () => upstreams.eventTypes,
    isStopping: () => shutdown.isDraining,
    metrics: new WebhookMetrics(metrics.registry),
    logger,
    clock,
  });
  const schedule = openSchedule({
    database,
    events,
    history: history.store,
    operations: () => upstreams.routes.map(({ operation }) => operation),
    keepEventsMs: fixed.events.keep,
    quietRule: () => ({ quietForMs: inForce.live.rotation.quietFor, staleForMs: fixed.registry.staleFor }),
    clock,
    logger,
  });
  shutdown.add('background work', () =>
    closeTogether([() => schedule.stop(), () => tracing?.close(), () => webhooks.close()]),
  );
  // What was counted is saved before anything that others may delay.
  shutdown.add('counter store', () => counters.store.close());

  // The data plane. These outlive a reload: they know connections and callers of before.
  const addressLimiter = createAddressLimiter(addressLimits(live).failedAttempts, clock);
  const publicLimiter = createAddressLimiter(addressLimits(live).publicRequests, clock);
  const endpointLimits = createEndpointLimits();
  const quotaThresholds = createQuotaThresholds(events.note);
  const { maxTunnels: maxPerKey, tunnelIdle: idleMs } = fixed.edge;
  const tunnels = new TunnelRegistry({ maxPerKey, idleMs, logger });
  const tryItConnections = new TryItConnections();
  const publicServer = createPublicServer(fixed.edge, {
    tunnels,
    addressLimiter,
    isTrustedProxy,
    logger,
    metrics: requestMetrics,
    certificate: certificates.public,
  });
  shutdown.add('public listener', () => publicServer.drain(0));
  shutdown.add('redaction of foreign keys', () => redactForeignKeys([]));
  const foreignHashes = new ForeignHashes(registry, (error) => {
    if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'reading keys and plans failed');
  });
  const recordHistory = createRecordHistory(history.recorder);

  /** Addresses are known once the listeners listen, and do not change after that. */
  function apiCatalogOf(next: Live): (() => string) | null {
    if (!fixed.portal.enabled || !next.portal.public) return null;
    let text: string | null = null;
    return () => {
      const portalUrl = portalPagesUrl(portalServer, fixed);
      if (portalUrl === null) return NO_APIS;
      return (text ??= apiCatalog(next.portal.apiUrl ?? urlOf(publicServer.server), portalUrl));
    };
  }

  function newDataPlane(
    next: Live,
    routes: readonly Route[],
    document: JsonObject,
    clientAddress: ClientAddress,
  ): DataPlane {
    const policy = banPolicyOf(fixed.bans);
    const plansIncluding = createPlansIncluding(registry, next.portal.requestablePlans, clock);
    return createDataPlane({
      routes,
      credentials,
      tryItConnections,
      admission: counters.store,
      addressLimiter,
      publicLimiter,
      tunnels,
      endpointLimits,
      findEndpoint: createEndpoints({
        history: history.store,
        historyRetention: fixed.history.keep,
        publicDocument: document,
        operations: routes.map(({ operation }) => operation),
        plansIncluding,
        registry,
        selfRevoke: next.keys.selfRevoke,
        clock,
      }),
      plansIncluding,
      apiCatalog: apiCatalogOf(next),
      onAddressRefused: addressRefusals.observe,
      selfRevoke: next.keys.selfRevoke,
      foreignKeys: next.keys.foreign,
      foreignHashes,
      observers: [
        requestMetrics.observe,
        admissionMetrics.observe,
        recordHistory,
        createNoteRefusal({
          collector: history.refusals,
          strikesForBan: (minuteLimit) => strikesForBan(minuteLimit, policy),
          strikesWithinMs: policy.withinMs,
          clock,
        }),
      ],
      decisionObservers: [quotaThresholds, bans.observe],
      tracing,
      clientAddress,
      isTrustedProxy: createIsTrustedProxy(next.trustedProxies),
      corsOrigins: next.cors.origins,
      dropHeaders: next.edge.dropHeaders,
      ietfHeaders: next.rateLimitHeaders.includes('ietf'),
      afterSunset: next.afterSunset,
      clock,
      logger,
    });
  }

  // The control plane: admin API with the console, and the portal.
  const firstStart = new FirstStart(registry, {
    plans: live.plans,
    demo: fixed.demo,
    host: fixed.host,
    named: () => namedPlans({ ...fixed.portal, ...inForce.live.portal }),
    routes: () => upstreams.routes,
    logger,
    clock,
  });
  const health = (): Health => {
    if (shutdown.isDraining) return 'draining';
    if (!firstStart.isDone()) return 'starting';
    const isDegraded = counters.failure() !== null || database.state() !== 'up' || firstStart.hasLostPlans();
    return isDegraded ? 'degraded' : 'ready';
  };
  const system = openSystem({
    gateway,
    database,
    counters: { kind: fixed.store.kind, failure: counters.failure },
    records: { kind: fixed.database.kind, hasLostPlans: () => firstStart.hasLostPlans() },
    history,
    delivery: webhooks.delivery,
    upstreams: () => upstreams.all,
    file: fixed.file,
    settings: () => inForce.settings.map(redactSetting),
    clock,
  });
  shutdown.add('system', () => system.stop());
  const console = await openConsole(fixed.admin, logger, consoleFolder);
  const portal = await openPortal(fixed, logger, { folder: portalFolder, requestsPerMinute });
  const portalServer = portal === null ? null : apiServer('portal');
  if (portalServer !== null) shutdown.add('portal listener', (remainingMs) => portalServer.drain(remainingMs));
  const observedStore = admissionMetrics.observed(counters.store);

  /** What admin API and portal show of the request path, for one configuration. */
  const shownOf = (next: Live, routes: readonly Route[], document: JsonObject, clientAddress: ClientAddress) => ({
    registry,
    accounts,
    store: observedStore,
    history: history.store,
    historyRetention: fixed.history.keep,
    maxGraceMs: next.rotation.maxGrace,
    webhooks: webhooks.webhooks,
    clientAddress,
    publicDocument: document,
    banTermsOf: (minuteLimit: number) => {
      const policy = banPolicyOf(fixed.bans);
      return { ...policy, strikes: strikesForBan(minuteLimit, policy) };
    },
    plansIncluding: createPlansIncluding(registry, next.portal.requestablePlans, clock),
    served: routes,
    services: next.upstreams,
    logger,
    clock,
  });

  function newAdmin(
    next: Live,
    tokens: readonly AdminToken[],
    shownToAll: ReturnType<typeof shownOf>,
  ): Promise<RequestListener> {
    return createAdmin({
      ...shownToAll,
      ...adminServer.listener,
      ...console,
      tokens,
      sessions,
      events,
      serviceEvents,
      serviceWebhooks: allWebhooks(next.upstreams),
      portalUrl: () => portalPagesUrl(portalServer, fixed),
      system,
      reload: reloading.reload,
      publicListensAt: () => urlOf(publicServer.server),
      health,
      metrics: metrics.scrape,
    });
  }

  // A reload replaces everything that responds, between two requests.
  let dataPlane: DataPlane | null = null;
  const publicDocuments = new PublicDocuments(endpointsDocument());
  function prepareHandlers(next: Live, routes: readonly Route[]) {
    const document = publicDocuments.of(documentSources(next));
    const tokens = resolveAdminTokens({ fromEnvironment: next.adminToken, dataDir }, next.adminTokens);
    const clientAddress = createClientAddress(next.trustedProxies, warnOfMalformedAddress(logger));
    const made = newDataPlane(next, routes, document, clientAddress);
    const shownToAll = shownOf(next, routes, document, clientAddress);

    /** @returns resolves once the last request that had begun before is over */
    function use(): Promise<void> {
      const before = dataPlane;
      dataPlane = made;
      redactForeignKeys(next.keys.foreign);
      requestMetrics.addUpstreams(upstreams.all.map(({ name }) => name));
      const limits = addressLimits(next);
      addressLimiter.adjust(limits.failedAttempts);
      publicLimiter.adjust(limits.publicRequests);
      trustedProxies.replace(next.trustedProxies);
      publicServer.use(made);
      adminServer.use(() => newAdmin(next, tokens, shownToAll));
      if (portal !== null && portalServer !== null) {
        const { server } = publicServer;
        const apiUrl = () => next.portal.apiUrl ?? urlOf(server);
        const callLimits = {
          bans: banPolicyOf(fixed.bans),
          edge: { ...fixed.edge, ...next.edge },
          upstreams: next.upstreams.map(({ maxBody, service }) => ({ maxBody, ...service })),
          rotation: next.rotation,
        };
        const called = { server, tryItConnections, apiUrl };
        portalServer.use(() =>
          portal.create({ ...shownToAll, ...portalServer.listener, callLimits }, next.portal, called),
        );
      }
      return before === null ? Promise.resolve() : before.idle();
    }
    return { tokens, use };
  }

  /** What takes long with thousands of operations, while requests are served: `prepareHandlers` then finds it done. */
  async function prepareInTurns(next: Live, routes: readonly Route[]): Promise<void> {
    await prepareBytes(await publicDocuments.prepare(documentSources(next)));
    await prepareRouter(routes);
    await nextTurn();
  }

  async function prepare(next: Live, withinMs: number): Promise<Prepared> {
    const opened = await upstreams.prepare(next.upstreams, next.edge.maxBody, withinMs);
    try {
      await prepareInTurns(next, opened.routes);
      const handlers = prepareHandlers(next, opened.routes);
      const use = () => {
        const closeUnused = opened.use();
        void handlers.use().then(closeUnused);
      };
      return { use, discard: () => opened.discard() };
    } catch (error) {
      await opened.discard();
      throw error;
    }
  }

  const reloading = new Reloading({
    inForce,
    loadConfig,
    isDraining: () => shutdown.isDraining,
    registry,
    metrics: metrics.reloads,
    logger,
  });
  shutdown.add('reloading', () => reloading.stop());
  metrics.watch({
    credentialCache: credentials,
    database,
    history,
    events,
    connections: publicServer.connections,
    log,
    upstreams: () => upstreams.all,
    certificates: { ...certificates, portal: portalServer === null ? null : certificates.portal },
  });

  // From here on it serves.
  const { tokens, use } = prepareHandlers(live, upstreams.routes);
  void use();
  reloading.start(prepare);
  const { host, port, adminHost, adminPort, portalHost, portalPort } = fixed;
  const { reusePort } = fixed.edge;
  const publicUrl = await listen(publicServer.server, { host, port, portVariable: 'TOLLGATE_PORT', reusePort });
  const adminUrl = await listen(adminServer.server, {
    host: adminHost,
    port: adminPort,
    portVariable: 'TOLLGATE_ADMIN_PORT',
  });
  const portalUrl =
    portalServer === null
      ? null
      : await listen(portalServer.server, { host: portalHost, port: portalPort, portVariable: 'TOLLGATE_PORTAL_PORT' });
  // The last step that can fail: the demo key is shown once, and a failure after that would lose it.
  const { demoKey, isFirst } = await firstStart.run();
  shutdown.add('first start', () => firstStart.stop());
  const link = { sessions, token: tokens[0], host: adminHost, adminUrl: new URL(adminUrl), clock, logger };
  // The portal drains with the public server: calls that are tried in it go there.
  const drained = portalServer === null ? [publicServer] : [publicServer, portalServer];
  return {
    publicUrl,
    adminUrl,
    portalUrl,
    portalPagesUrl: portal?.hasPages === true ? portalPagesUrl(portalServer, fixed) : null,
    demoKey,
    consoleLink: isFirst ? await createFirstLink(console, link) : null,
    reload: reloading.reload,
    drain: () => shutdown.drain(drained, fixed.drain),
  };
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(
      `cannot create the data directory ${dataDir} (${(error as Error).message}): set TOLLGATE_DATA_DIR to a directory ` +
        'that this user can write to',
    );
  }
}

interface CredentialsContext extends Pick<ProcessContext, 'lastUsesFlushMs'> {
  readonly metrics: StoreMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

function openCredentials(
  source: CredentialSource,
  fixed: Fixed,
  { metrics, logger, clock, lastUsesFlushMs }: CredentialsContext,
): CredentialCache {
  const onError = (error: unknown) => {
    metrics.error('registry');
    logger.error({ err: error }, 'reading keys and plans failed');
  };
  return new CredentialCache(source, onError, {
    keptForMs: fixed.registry.staleFor,
    wallClock: clock,
    ...(lastUsesFlushMs === undefined ? {} : { flushEveryMs: lastUsesFlushMs }),
  });
}

/** @returns whether all uses of keys are recorded */
async function closeCredentials(credentials: CredentialCache, logger: Logger): Promise<boolean> {
  try {
    await credentials.close();
    return true;
  } catch (error) {
    // The times at which keys were last used are lost; nothing else is.
    if (!(error instanceof StoreUnavailable)) throw error;
    if (!credentials.hasUnsentUses) return true;
    logger.warn({ reason: error.message }, 'could not record when keys were last used');
    return false;
  }
}

/** OpenTelemetry is loaded only if traces are on. */
async function openTraces({ traces }: Fixed, metrics: GatewayMetrics, logger: Logger) {
  if (traces === null) return null;
  const { openTracing } = await import('./telemetry/traces/sdk/open-tracing.ts');
  return openTracing(traces, metrics.traces, logger);
}

/** The portal is loaded only if it is enabled. @throws StartError if the logo cannot be used */
async function openPortal({ portal }: Fixed, logger: Logger, forTests: PortalForTests) {
  if (!portal.enabled) return null;
  const logo = portal.logo === undefined ? null : readLogo(portal.logo);
  const { openPortal: open } = await import('./control-plane/portal/open-portal.ts');
  return open({ ...portal, logo }, logger, forTests);
}

/** URL of the portal; null if there is none, or it does not listen yet. */
function portalPagesUrl(portalServer: ApiServer | null, { portal: { url } }: Fixed): string | null {
  if (portalServer === null) return null;
  if (url !== undefined) return joinUrl(new URL(url), PAGES_PATH);
  return portalServer.server.listening ? joinUrl(new URL(urlOf(portalServer.server)), PAGES_PATH) : null;
}

/** The documents, with the headers that the gateway itself sends to each service. */
function documentSources({ upstreams }: Live) {
  return upstreams.map(({ service, ...upstream }) => {
    return { ...upstream, headers: 'headers' in service ? service.headers : undefined };
  });
}

function addressLimits({ guard: { failedAttempts, publicRequests, within: withinMs } }: Live) {
  return {
    failedAttempts: { limit: failedAttempts, withinMs },
    publicRequests: { limit: publicRequests, withinMs },
  };
}
