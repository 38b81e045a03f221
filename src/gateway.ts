import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Health } from './admin/probes.ts';
import type { Clock } from './admission/store.ts';
import type { Config } from './config/load.ts';
import { createServers, type Servers } from './create-servers.ts';
import { prepareRegistry, type FirstStart } from './first-start.ts';
import { createMetrics } from './observability/metrics/metrics.ts';
import type { DroppedLines } from './observability/metrics/read-metrics.ts';
import { openStorage, type Storage } from './open-storage.ts';
import { openUpstreams } from './open-upstreams.ts';
import { listen } from './server/listener.ts';
import { Shutdown } from './shutdown.ts';
import type { StartContext } from './start-context.ts';

/** A running gateway. */
export interface Gateway {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** The secret of the demo key, on the first start of a demo installation. */
  readonly demoKey: string | null;
  /** Stops gracefully: finishes running requests, then saves and closes everything. */
  drain(): Promise<void>;
}

/** What the gateway takes from the process it runs in. */
export interface ProcessContext {
  readonly clock?: Clock | undefined;
  /** Where the logger's lines go; a metric counts those that are lost. */
  readonly log?: DroppedLines;
}

/** How far the gateway has come: what the readiness probe tells. */
interface Progress {
  firstStart: FirstStart | null;
  draining: boolean;
}

/** Builds and starts everything. On failure, closes whatever was opened. */
export async function startGateway(
  config: Config,
  logger: Logger,
  { clock = Date.now, log = { dropped: 0 } }: ProcessContext = {},
): Promise<Gateway> {
  const shutdown = new Shutdown();
  try {
    const metrics = createMetrics(clock);
    const context = { config, logger, clock, metrics, shutdown };
    const storage = await openStorage(context);
    const routes = await openUpstreams(config, logger, shutdown);
    const progress: Progress = { firstStart: null, draining: false };
    const servers = createServers(context, storage, routes, () => healthOf(progress, storage));
    const { credentialCache, database } = storage;
    metrics.watch({ credentialCache, database, connections: servers.publicServer.connections, log });
    return await serve(context, storage, servers, progress);
  } catch (error) {
    await shutdown.runWithin(config.drain.deadline, logger);
    throw error;
  }
}

function healthOf({ draining, firstStart }: Progress, { counters, database }: Storage): Health {
  if (draining) return 'draining';
  if (firstStart?.isDone() !== true) return 'starting';
  const isDegraded = counters.isDegraded() || database.state() !== 'up' || firstStart.hasLostPlans();
  return isDegraded ? 'degraded' : 'ready';
}

async function serve(
  { config, logger, clock, shutdown }: StartContext,
  { registry }: Storage,
  { publicServer, adminServer }: Servers,
  progress: Progress,
): Promise<Gateway> {
  const { host, port, adminHost, adminPort } = config;
  shutdown.add('admin server', () => adminServer.close());
  const publicUrl = await listen(publicServer.server, { host, port, portVariable: 'TOLLGATE_PORT' });
  // Of a gateway that has begun to serve, `drain` below has drained it by then.
  shutdown.add('public server', () => publicServer.drain(0));
  const adminUrl = await listen(adminServer.server, {
    host: adminHost,
    port: adminPort,
    portVariable: 'TOLLGATE_ADMIN_PORT',
  });
  // The last step that can fail: the demo key is shown once, and a failure after that would lose it.
  const firstStart = await prepareRegistry(registry, config, logger, clock);
  progress.firstStart = firstStart;
  shutdown.add('first start', () => firstStart.stop());

  const drain = async () => {
    progress.draining = true;
    await sleep(config.drain.lameDuck);
    await publicServer.drain(config.drain.deadline);
    await shutdown.run();
  };
  let drained: Promise<void> | undefined;
  return { publicUrl, adminUrl, demoKey: firstStart.demoKey, drain: () => (drained ??= drain()) };
}
