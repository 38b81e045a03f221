import type { Logger } from 'pino';
import type { Clock } from './admission/store.ts';
import type { Config } from './config/load.ts';
import { portalPagesUrl } from './create-portal.ts';
import { createServers, type Servers } from './create-servers.ts';
import { prepareRegistry } from './first-start.ts';
import { createMetrics } from './observability/metrics/metrics.ts';
import type { DroppedLines } from './observability/metrics/read-metrics.ts';
import { createFirstLink, openConsole, type OpenConsole } from './open/open-console.ts';
import { openCertificates } from './open/open-certificates.ts';
import { openPortal } from './open/open-portal.ts';
import { openSchedule } from './open/open-schedule.ts';
import { openStorage, type Storage } from './open/open-storage.ts';
import { openSystem } from './open/open-system.ts';
import type { ApiServer } from './http-api/server.ts';
import { openTraces } from './open/open-traces.ts';
import { openUpstreams } from './open/open-upstreams.ts';
import { openWebhooks } from './open/open-webhooks.ts';
import { healthOf, type Progress } from './health.ts';
import { listen } from './server/listener.ts';
import { Shutdown } from './shutdown.ts';
import type { StartContext } from './start-context.ts';

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
  /** And those of the portal. */
  readonly portalFolder?: string;
  /** How often the history is written, where a test would wait for it. */
  readonly historyFlushMs?: number;
}

/** Builds and starts everything. On failure, closes whatever was opened. */
export async function startGateway(
  config: Config,
  logger: Logger,
  { clock = Date.now, log = { dropped: 0 }, consoleFolder, portalFolder, historyFlushMs }: ProcessContext = {},
): Promise<Gateway> {
  const shutdown = new Shutdown();
  try {
    const metrics = createMetrics(clock);
    const context = { config, logger, clock, metrics, shutdown, historyFlushMs };
    const traces = await openTraces(context);
    const storage = await openStorage(context);
    const routes = await openUpstreams(context, storage.serviceEvents);
    const progress: Progress = { firstStart: null };
    const console = await openConsole(config, logger, consoleFolder);
    const portal = await openPortal(config, logger, portalFolder);
    const { webhooks, delivery } = openWebhooks(context, storage);
    const hasLostPlans = () => progress.firstStart?.hasLostPlans() === true;
    const system = openSystem(context, { storage, routes, delivery }, hasLostPlans);
    openSchedule(context, storage, routes);
    const health = () => healthOf(progress, shutdown, storage);
    const certificates = openCertificates(config, logger, shutdown);
    const opened = { storage, routes, console, portal, system, certificates, webhooks, traces, health };
    const servers = createServers(context, opened);
    const { credentialCache, database, history, events } = storage;
    metrics.watch({ credentialCache, database, history, events, connections: servers.publicServer.connections, log });
    return await serve(context, storage, servers, console, progress);
  } catch (error) {
    await shutdown.runWithin(config.drain.deadline, logger);
    throw error;
  }
}

async function serve(
  context: StartContext,
  storage: Storage,
  { publicServer, adminServer, portalServer }: Servers,
  console: OpenConsole,
  progress: Progress,
): Promise<Gateway> {
  const { config, logger, clock, shutdown } = context;
  const { host, port, adminHost, adminPort } = config;
  shutdown.add('admin server', () => adminServer.close());
  const publicUrl = await listen(publicServer.server, {
    host,
    port,
    portVariable: 'TOLLGATE_PORT',
    reusePort: config.edge.reusePort,
  });
  // Of a gateway that has begun to serve, `Shutdown.drain` has drained it by then.
  shutdown.add('public server', () => publicServer.drain(0));
  const adminUrl = await listen(adminServer.server, {
    host: adminHost,
    port: adminPort,
    portVariable: 'TOLLGATE_ADMIN_PORT',
  });
  const portalUrl = portalServer === null ? null : await listenForPortal(portalServer, context);
  // The last step that can fail: the demo key is shown once, and a failure after that would lose it.
  const firstStart = await prepareRegistry(storage.registry, config, logger, clock);
  progress.firstStart = firstStart;
  shutdown.add('first start', () => firstStart.stop());
  const consoleLink = firstStart.isFirst ? await createFirstLink(context, storage, console, new URL(adminUrl)) : null;
  const drain = () => shutdown.drain(publicServer, config.drain);
  const pagesUrl = portalPagesUrl(portalServer, config.portal);
  const urls = { publicUrl, adminUrl, portalUrl, portalPagesUrl: pagesUrl };
  return { ...urls, demoKey: firstStart.demoKey, consoleLink, drain };
}

async function listenForPortal(portalServer: ApiServer, { config, shutdown }: StartContext): Promise<string> {
  const { portalHost: host, portalPort: port } = config;
  shutdown.add('portal server', () => portalServer.close());
  return listen(portalServer.server, { host, port, portVariable: 'TOLLGATE_PORTAL_PORT' });
}
