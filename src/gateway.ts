import type { Logger } from 'pino';
import type { Clock } from './base/time.ts';
import type { Config } from './config/load.ts';
import { portalPagesUrl } from './create-portal.ts';
import { prepareRegistry } from './control-plane/registry/first-start.ts';
import { createMetrics } from './telemetry/metrics/metrics.ts';
import type { DroppedLines } from './telemetry/metrics/read-metrics.ts';
import { createFirstLink, openConsole, type OpenConsole } from './control-plane/admin/open-console.ts';
import { openCertificates } from './open/open-certificates.ts';
import { openPortal } from './control-plane/portal/open-portal.ts';
import { openSchedule } from './control-plane/schedule/open-schedule.ts';
import { openStorage, type Storage } from './open/open-storage.ts';
import { openSystem } from './control-plane/system/open-system.ts';
import type { ApiServer } from './control-plane/api/server.ts';
import { openTraces } from './telemetry/traces/open-traces.ts';
import { Upstreams } from './data-plane/upstreams/open-upstreams.ts';
import { openWebhooks } from './control-plane/webhooks/open-webhooks.ts';
import { namedPlans } from './control-plane/portal/named-plans.ts';
import { healthOf, type Progress } from './health.ts';
import type { ReloadConfiguration } from './control-plane/admin/resources/configuration.ts';
import { Reloading } from './reload.ts';
import { listen } from './http/http-server.ts';
import { Serving } from './serving.ts';
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
  /** Puts the configuration in force as it is written now. Rejects, and changes nothing, if it cannot be used. */
  readonly reload: ReloadConfiguration;
  /** Stops gracefully: finishes running requests, then saves and closes everything. */
  drain(): Promise<void>;
}

/** What the gateway takes from the process it runs in. */
export interface ProcessContext {
  /** Reads the configuration anew. @throws ConfigError */
  readonly loadConfig: (before: Config) => Config;
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

/** What is built before anything listens. */
interface Built {
  readonly storage: Storage;
  readonly console: OpenConsole;
  readonly serving: Serving;
  readonly reloading: Reloading;
  readonly progress: Progress;
  /** Whether the files of the portal are there. */
  readonly hasPortalPages: boolean;
}

/** Builds and starts everything. On failure, closes whatever was opened. */
export async function startGateway(config: Config, logger: Logger, process: ProcessContext): Promise<Gateway> {
  const { clock = Date.now, historyFlushMs } = process;
  const shutdown = new Shutdown();
  try {
    const context = { config, logger, clock, metrics: createMetrics(clock), shutdown, historyFlushMs };
    return await serve(context, await build(context, process));
  } catch (error) {
    await shutdown.runWithin(config.drain.deadline, logger);
    throw error;
  }
}

async function build(context: StartContext, process: ProcessContext): Promise<Built> {
  const { config, logger, metrics, shutdown } = context;
  const { log = { dropped: 0 }, loadConfig, consoleFolder, portalFolder } = process;
  const traces = await openTraces(context);
  const storage = await openStorage(context);
  const upstreams = new Upstreams(context, storage.serviceEvents);
  const prepared = await upstreams.prepare(config);
  await prepared.use()();
  const reloading = new Reloading(context, { loadConfig, upstreams, registry: storage.registry });
  const progress: Progress = { firstStart: null };
  const console = await openConsole(config, logger, consoleFolder);
  const portal = await openPortal(config, logger, portalFolder);
  const { webhooks, delivery } = openWebhooks(context, storage, upstreams);
  const hasLostPlans = () => progress.firstStart?.hasLostPlans() === true;
  const inForce = () => reloading.config.inForce;
  const system = openSystem(context, { storage, upstreams, delivery, hasLostPlans, inForce });
  openSchedule(context, storage, upstreams);
  const health = () => healthOf(progress, shutdown, storage);
  const certificates = openCertificates(config, logger, shutdown);
  const { reload } = reloading;
  const opened = { storage, console, portal, system, certificates, webhooks, traces, health, reload };
  const serving = new Serving(context, opened);
  const { credentialCache, database, history, events } = storage;
  const { connections } = serving.publicServer;
  metrics.watch({ credentialCache, database, history, events, connections, log });
  return { storage, console, serving, reloading, progress, hasPortalPages: portal !== null && portal.files !== null };
}

async function serve(
  context: StartContext,
  { storage, console, serving, reloading, progress, hasPortalPages }: Built,
): Promise<Gateway> {
  const { config, shutdown } = context;
  const { host, port, adminHost, adminPort } = config;
  const { publicServer, adminServer, portalServer } = serving;
  const tokens = reloading.serve(serving);
  shutdown.add('admin server', (remainingMs) => adminServer.drain(remainingMs));
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
  const firstStart = await prepareRegistry(storage.registry, context, () => namedPlans(reloading.config.portal));
  progress.firstStart = firstStart;
  shutdown.add('first start', () => firstStart.stop());
  const at = new URL(adminUrl);
  const consoleLink = firstStart.isFirst ? await createFirstLink(context, storage, console, { tokens, at }) : null;
  // The portal with the public server: calls that are tried in it go there.
  const drained = portalServer === null ? [publicServer] : [publicServer, portalServer];
  const drain = () => shutdown.drain(drained, config.drain);
  const pagesUrl = hasPortalPages ? portalPagesUrl(portalServer, config.portal) : null;
  const urls = { publicUrl, adminUrl, portalUrl, portalPagesUrl: pagesUrl };
  return { ...urls, demoKey: firstStart.demoKey, consoleLink, reload: reloading.reload, drain };
}

async function listenForPortal(portalServer: ApiServer, { config, shutdown }: StartContext): Promise<string> {
  const { portalHost: host, portalPort: port } = config;
  shutdown.add('portal server', (remainingMs) => portalServer.drain(remainingMs));
  return listen(portalServer.server, { host, port, portVariable: 'TOLLGATE_PORTAL_PORT' });
}
