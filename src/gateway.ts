import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AdmissionStore, Clock } from './admission/store.ts';
import { createEmbeddedStore } from './admission/embedded-store.ts';
import { AutomaticBans } from './admin/automatic-bans.ts';
import { createAdminServer } from './admin/server.ts';
import { resolveAdminTokens } from './admin/token.ts';
import type { Config } from './config/load.ts';
import { createDemoKey } from './demo.ts';
import { listen } from './listener.ts';
import { createClientAddress } from './pipeline/client-address.ts';
import { createGuard } from './pipeline/guard.ts';
import { createPipeline } from './pipeline/index.ts';
import { createPublicServer } from './public-server.ts';
import { Directory } from './registry/directory.ts';
import type { Registry } from './registry/registry.ts';
import { SqliteRegistry } from './registry/sqlite-registry.ts';
import { StartError } from './start-error.ts';
import { openEmbedded } from './storage/database.ts';
import { loadInProcess } from './upstreams/in-process.ts';
import { publicDocument } from './upstreams/public-document.ts';
import type { Upstream } from './upstreams/upstream.ts';

/** A gateway that serves. */
export interface Gateway {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** The secret of the demo key, on the first start of a demo installation. */
  readonly demoKey: string | null;
  /** Stops without cutting anybody off, and keeps what must be kept. */
  drain(): Promise<void>;
}

/** Builds and starts everything: the one place that picks adapters. What was opened is closed again if it fails. */
export async function startGateway(config: Config, logger: Logger, clock: Clock = Date.now): Promise<Gateway> {
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    return await build(config, logger, clock, opened, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function build(
  config: Config,
  logger: Logger,
  clock: Clock,
  opened: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<Gateway> {
  makeDataDir(config.dataDir);
  const storage = await openStorage(config, logger, clock);
  opened.push(() => storage.close());
  const { registry, store } = storage;
  const { adminToken: fromEnvironment, adminTokens, dataDir } = config;
  const tokens = resolveAdminTokens({ fromEnvironment, dataDir }, adminTokens);

  await registry.seedPlans(config.plans, { actor: 'system', reason: 'first start', at: clock() });
  const demoKey = config.demo ? await createDemoKey(registry, clock) : null;
  const directory = new Directory(registry, (error) => logger.error({ err: error }, 'the registry failed'));
  opened.push(() => directory.close());

  const bans = new AutomaticBans(registry, logger);
  opened.push(() => bans.close());

  const upstreams = await loadUpstreams(config, logger, opened);
  const guard = createGuard(config.guard, clock);
  const routes = config.upstreams.flatMap(({ document }, index) => {
    const upstream = upstreams[index];
    return upstream === undefined ? [] : document.operations.map((operation) => ({ operation, upstream }));
  });
  const pipeline = createPipeline({
    routes,
    publicDocument: publicDocument(config.upstreams),
    directory,
    store,
    guard,
    clientAddress: createClientAddress(config.trustedProxies),
    clock,
    logger,
    maxBody: config.edge.maxBody,
    ietfHeaders: config.rateLimitHeaders.includes('ietf'),
    afterSunset: config.afterSunset,
    onBanStarted: bans.started,
  });

  let draining = false;
  const publicServer = createPublicServer(config.edge, pipeline, guard, logger);
  const adminServer = createAdminServer({
    registry,
    store,
    tokens,
    served: routes,
    health: () => (draining ? 'draining' : 'ready'),
    logger,
    clock,
  });
  const publicUrl = await listen(publicServer.server, {
    host: config.host,
    port: config.port,
    portVariable: 'TOLLGATE_PORT',
  });
  opened.push(() => publicServer.drain(0));
  const adminUrl = await listen(adminServer.server, {
    host: config.adminHost,
    port: config.adminPort,
    portVariable: 'TOLLGATE_ADMIN_PORT',
  });
  opened.push(() => adminServer.close());

  return {
    publicUrl,
    adminUrl,
    demoKey,
    async drain() {
      draining = true;
      await sleep(config.drain.lameDuck);
      await publicServer.drain(config.drain.deadline);
      await closeAll();
    },
  };
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw new StartError(
      `the data directory ${dataDir} cannot be made (${(error as Error).message}): set TOLLGATE_DATA_DIR to a folder ` +
        'that this user may write to',
    );
  }
}

interface Storage {
  readonly registry: Registry;
  readonly store: AdmissionStore;
  close(): Promise<void>;
}

async function openStorage(config: Config, logger: Logger, clock: Clock): Promise<Storage> {
  if (config.store.kind !== 'sqlite')
    throw new StartError('a shared store in Redis is not supported yet: use sqlite:FILE');
  const database = await openEmbedded(config.store.file, config.drain.deadline);
  const registry = new SqliteRegistry(database);
  const store = createEmbeddedStore({
    database,
    clock,
    policy: config.bans,
    onError: (error) => logger.error({ err: error }, 'counters could not be written, and will be tried again'),
  });
  return {
    registry,
    store,
    async close() {
      await store.close();
      await registry.close();
      database.close();
    },
  };
}

async function loadUpstreams(config: Config, logger: Logger, opened: (() => Promise<void>)[]): Promise<Upstream[]> {
  const upstreams: Upstream[] = [];
  for (const settings of config.upstreams) {
    if (!('module' in settings)) throw new StartError(`upstream ${settings.name}: HTTP targets are not supported yet`);
    const upstream = await loadInProcess(settings.name, settings.module, settings.options, {
      dataDir: config.dataDir,
      openapi: settings.document.value,
      demo: config.demo,
      logger: logger.child({ upstream: settings.name }),
    });
    opened.push(() => upstream.close());
    upstreams.push(upstream);
  }
  return upstreams;
}
