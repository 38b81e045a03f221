import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createFirstLink, openConsole } from './open-console.ts';
import { openStore } from './open-store.ts';
import type { Clock } from './admission/store.ts';
import { isLoopback } from './base/loopback.ts';
import { StoreUnavailable } from './base/store-unavailable.ts';
import { AutomaticBans } from './admin/resources/automatic-bans.ts';
import { createAdminServer, type AdminServer } from './admin/server.ts';
import { resolveAdminTokens } from './admin/access/token.ts';
import { Sessions } from './admin/sessions/sessions.ts';
import type { Config } from './config/load.ts';
import { openDatabase } from './database/open.ts';
import { prepareRegistry, type FirstStart } from './first-start.ts';
import { listen } from './server/listener.ts';
import { createMetrics } from './observability/metrics/metrics.ts';
import type { DroppedLines } from './observability/metrics/read-metrics.ts';
import { createClientAddress } from './pipeline/caller/client-address.ts';
import { createAddressLimiter } from './pipeline/caller/address-limiter.ts';
import { createPipeline } from './pipeline/index.ts';
import { TunnelRegistry } from './pipeline/websocket/tunnel-registry.ts';
import { createPublicServer } from './server/public-server.ts';
import { CredentialCache } from './registry/cache/credential-cache.ts';
import { SqlRegistry } from './registry/sql-registry.ts';
import { StartError } from './base/start-error.ts';
import { loadInProcess } from './upstreams/in-process.ts';
import { publicDocument } from './upstreams/public-document.ts';
import { createHttpUpstream } from './upstreams/http/http-upstream.ts';
import type { Route, Upstream } from './upstreams/upstream.ts';

/** A running gateway. */
export interface Gateway {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** The secret of the demo key, on the first start of a demo installation. */
  readonly demoKey: string | null;
  /** Where to open the console and be signed in, once, on the first start of an installation on this machine. */
  readonly consoleLink: string | null;
  /** Stops gracefully: finishes running requests, then saves and closes everything. */
  drain(): Promise<void>;
}

/** What the gateway takes from the process it runs in. */
export interface ProcessContext {
  readonly clock?: Clock | undefined;
  /** Where the logger's lines go; a metric counts those that are lost. */
  readonly log?: DroppedLines;
  /** Where the files of the console are, in place of where the build puts them. */
  readonly consoleFolder?: string;
}

/** Builds and starts everything; the only place that picks adapters. On failure, closes whatever was opened. */
export async function startGateway(config: Config, logger: Logger, context: ProcessContext = {}): Promise<Gateway> {
  const opened = new AsyncDisposableStack();
  try {
    return await build(config, logger, context, opened);
  } catch (error) {
    await closeWithin(config.drain.deadline, opened, logger);
    throw error;
  }
}

/** Limits the wait: upstreams are others' code, and one that never closes must not hide why the start failed. */
async function closeWithin(limitMs: number, opened: AsyncDisposableStack, logger: Logger): Promise<void> {
  const timeout = new AbortController();
  const closed = opened.disposeAsync().finally(() => timeout.abort());
  const tooLate = sleep(limitMs, undefined, { signal: timeout.signal }).catch(() => {});
  try {
    await Promise.race([closed, tooLate]);
  } catch (error) {
    logger.error({ err: error }, 'some resources could not be closed');
  }
}

async function build(
  config: Config,
  logger: Logger,
  { clock = Date.now, log = { dropped: 0 }, consoleFolder }: ProcessContext,
  opened: AsyncDisposableStack,
): Promise<Gateway> {
  makeDataDir(config.dataDir);
  const metrics = createMetrics(clock);
  const database = await openDatabase(config.database, logger, config.drain.deadline);
  opened.defer(() => database.close());
  const counters = await openStore(config, logger, clock, metrics.store);
  opened.defer(() => counters.close());
  let adminServer: AdminServer | undefined;
  // Closed after everything that serves and everything that is written: probes and metrics are answered to the end.
  opened.defer(async () => adminServer?.close());
  const { store } = counters;
  const registry = new SqlRegistry(database);
  const { adminToken: fromEnvironment, adminTokens, dataDir } = config;
  const tokens = resolveAdminTokens({ fromEnvironment, dataDir }, adminTokens);
  const sessions = new Sessions(database, logger);
  const openedConsole = await openConsole(config, logger, consoleFolder);

  const onRegistryError = (error: unknown) => {
    metrics.store.error('registry');
    logger.error({ err: error }, 'the registry failed');
  };
  const credentialCache = new CredentialCache(registry, onRegistryError, { keptForMs: config.registry.staleFor });
  opened.defer(() => closeCredentialCache(credentialCache, logger));

  const bans = new AutomaticBans(registry, logger);
  opened.defer(() => bans.close());

  const routes = await openUpstreams(config, logger, opened);
  // Closed before the upstreams: they are others' code, and whatever they do on closing must not cost any counts.
  opened.defer(() => store.close());
  const { failedAttempts, publicRequests, within } = config.guard;
  const addressLimiter = createAddressLimiter({ limit: failedAttempts, withinMs: within }, clock);
  const { maxTunnels, tunnelIdle } = config.edge;
  const tunnels = new TunnelRegistry({ maxPerKey: maxTunnels, idleMs: tunnelIdle, logger });
  const clientAddress = createClientAddress(config.trustedProxies);
  const pipeline = createPipeline({
    routes,
    publicDocument: publicDocument(config.upstreams),
    credentialCache,
    store,
    addressLimiter,
    tunnels,
    publicLimiter: createAddressLimiter({ limit: publicRequests, withinMs: within }, clock),
    corsOrigins: config.cors.origins,
    clientAddress,
    dropHeaders: config.edge.dropHeaders,
    clock,
    logger,
    ietfHeaders: config.rateLimitHeaders.includes('ietf'),
    afterSunset: config.afterSunset,
    onEnded: metrics.ended,
    onBanStarted: bans.started,
  });

  let draining = false;
  let firstStart: FirstStart | undefined;
  let adminUrl = '';
  const publicServer = createPublicServer(config.edge, {
    pipeline,
    tunnels,
    addressLimiter,
    logger,
    metrics: metrics.requests,
  });
  metrics.watch({ credentialCache, database, connections: publicServer.connections, log });
  adminServer = createAdminServer({
    registry,
    store: metrics.admission.observed(store),
    tokens,
    addressOf: clientAddress,
    sessions,
    ...openedConsole,
    listensAt: () => new URL(adminUrl),
    served: routes,
    health() {
      if (draining) return 'draining';
      if (firstStart?.isDone() !== true) return 'starting';
      const isDegraded = counters.isDegraded() || database.state() !== 'up' || firstStart.hasLostPlans();
      return isDegraded ? 'degraded' : 'ready';
    },
    metrics: metrics.scrape,
    logger,
    clock,
  });
  const publicUrl = await listen(publicServer.server, {
    host: config.host,
    port: config.port,
    portVariable: 'TOLLGATE_PORT',
  });
  opened.defer(() => publicServer.drain(0));
  adminUrl = await listen(adminServer.server, {
    host: config.adminHost,
    port: config.adminPort,
    portVariable: 'TOLLGATE_ADMIN_PORT',
  });
  // The last step that can fail: the demo key is shown once, and a failure after that would lose it.
  firstStart = await prepareRegistry(registry, config, logger, clock);
  opened.defer(async () => firstStart?.stop());
  const url = openedConsole.publicUrl ?? new URL(adminUrl);
  const isShown = firstStart.isFirst && openedConsole.console !== null && isLoopback(config.adminHost);
  const consoleLink = isShown ? await createFirstLink({ sessions, token: tokens[0]!, url, logger, clock }) : null;

  let drained: Promise<void> | undefined;
  const drain = async () => {
    draining = true;
    await sleep(config.drain.lameDuck);
    await publicServer.drain(config.drain.deadline);
    await opened.disposeAsync();
  };
  return { publicUrl, adminUrl, demoKey: firstStart.demoKey, consoleLink, drain: () => (drained ??= drain()) };
}

/** If the database is down, the times at which keys were last used are lost; nothing else is. */
async function closeCredentialCache(credentialCache: CredentialCache, logger: Logger): Promise<void> {
  try {
    await credentialCache.close();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    logger.warn(`the last uses of keys could not be noted: ${error.message}`);
  }
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(
      `the data directory ${dataDir} cannot be made (${(error as Error).message}): set TOLLGATE_DATA_DIR to a folder ` +
        'that this user may write to',
    );
  }
}

async function openUpstreams(config: Config, logger: Logger, opened: AsyncDisposableStack): Promise<Route[]> {
  const routes: Route[] = [];
  for (const settings of config.upstreams) {
    const upstream = await openUpstream(config, settings, logger.child({ upstream: settings.name }));
    opened.defer(() => upstream.close());
    for (const operation of settings.document.operations) {
      const maxBody = operation.maxBody ?? settings.maxBody ?? config.edge.maxBody;
      routes.push({ operation, upstream, prefix: settings.prefix ?? '', maxBody });
    }
  }
  return routes;
}

async function openUpstream(
  { dataDir, demo }: Config,
  settings: Config['upstreams'][number],
  logger: Logger,
): Promise<Upstream> {
  if (!('module' in settings)) return createHttpUpstream(settings, logger);
  const { name, module, options, document } = settings;
  return loadInProcess(name, module, options, { dataDir, openapi: document.value, demo, logger });
}
