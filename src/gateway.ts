/**
 * The composition root. It opens every part of a gateway, from the storage to the listeners, and registers how to close
 * each part. `shutdown` closes the parts in reverse order.
 */
import type { Logger } from 'pino';
import { type Context, createContext, type Gateway, type ProcessContext } from './assembly/context.ts';
import { Generations } from './assembly/generations.ts';
import { createApiListener, createPublicListener, startListening, findPortalPagesUrl } from './assembly/listeners.ts';
import {
  createConfigReports,
  createFirstStart,
  createHealth,
  openBackground,
  openPortalPages,
  openSystemReports,
  watchMetrics,
} from './assembly/services.ts';
import {
  closeCredentials,
  KeyUses,
  openCounterStore,
  openCredentials,
  openUsageHistory,
  openRecords,
} from './assembly/storage.ts';
import type { Config } from './config/config.ts';
import { Previewing } from './assembly/previewing.ts';
import { Reloading } from './assembly/reloading.ts';
import { createFirstLink, openConsole } from './control-plane/admin/open-console.ts';
import { AddressRefusals } from './control-plane/registry/address-refusals.ts';
import { AutomaticBans } from './control-plane/registry/automatic-bans.ts';
import { createGatewayIdentity, openHeartbeat } from './control-plane/system/open-system.ts';
import { Tokens } from './data-plane/tokens/open-tokens.ts';
import { Upstreams } from './data-plane/upstreams/open-upstream.ts';
import { TrustedProxies } from './http/addresses.ts';
import { redactForeignKeys, redactTokens } from './http/redact-keys.ts';
import { openCertificates } from './http/reloaded-certificate.ts';
import { closeTogether, Shutdown } from './shutdown.ts';

/** Opens and starts everything. If a step fails, closes everything that was opened before. */
export async function startGateway(config: Config, logger: Logger, processContext: ProcessContext): Promise<Gateway> {
  const shutdown = new Shutdown(logger);
  try {
    return await openGateway(createContext(config, logger, processContext), shutdown);
  } catch (error) {
    await shutdown.runWithin(config.fixed.drain.deadline);
    throw error;
  }
}

async function openGateway(context: Context, shutdown: Shutdown): Promise<Gateway> {
  const { fixed, inForce, metrics, logger, clock, processContext } = context;
  const { live } = inForce;
  const isDraining = () => shutdown.isDraining;

  // The storage.
  const records = await openRecords(context);
  const { database, registry, events } = records;
  shutdown.add('records', () => database.close());
  const counters = await openCounterStore(context, records);
  shutdown.add('counters', () => counters.close());
  const identity = createGatewayIdentity();
  const heartbeat = openHeartbeat({ database, gateway: identity, metrics: metrics.reloads, logger }, fixed);
  const keyUses = new KeyUses();
  shutdown.add('heartbeat', () => heartbeat.stop(keyUses.areRecorded));

  // The admin listener, which does not listen yet. It is closed late, so that probes and metrics are served until the
  // end.
  const certificates = openCertificates(fixed, logger);
  shutdown.add('certificates', () => certificates.close());
  const trustedProxies = new TrustedProxies(live.trustedProxies);
  const listenerDependencies = { certificates, trustedProxies };
  const adminServer = createApiListener('admin', context, listenerDependencies);
  // Idle connections are not waited for: this listener closes late, so that would only delay the end.
  shutdown.add('admin listener', (remainingMs) => adminServer.drain(remainingMs, 0));

  // Services, history, keys and bans may publish events while they close, so the events are closed after them.
  shutdown.add('events', () => events.close());
  const upstreams = new Upstreams(fixed, records.serviceEvents, logger);
  shutdown.add('upstreams', (remainingMs) => upstreams.close(remainingMs));
  const openedUpstreams = await upstreams.prepare(live.upstreams, live.edge.maxBody);
  for (const warning of openedUpstreams.warnings) logger.warn({ warning }, 'configuration warning');
  openedUpstreams.use();
  const history = await openUsageHistory(context);
  shutdown.add('history', () => history.close());
  const credentials = openCredentials(context, records, identity, keyUses);
  shutdown.add('credential cache', () => closeCredentials(credentials, keyUses, context));
  const bans = new AutomaticBans(registry, events.note, logger);
  shutdown.add('automatic bans', () => bans.close());
  const addressRefusals = new AddressRefusals(registry, logger);
  shutdown.add('address refusals', () => addressRefusals.close());

  // Each part of the background work may take a second to finish, so they are closed concurrently.
  const background = await openBackground(context, { records, history, upstreams, isStopping: isDraining });
  const { schedule, tracing, webhooks } = background;
  shutdown.add('background work', () =>
    closeTogether([() => schedule.stop(), () => tracing?.close(), () => webhooks.close()]),
  );
  // Close the counter store here as well, so that counts are saved before any other part can delay the shutdown.
  shutdown.add('counter store', () => counters.store.close());

  // The data plane.
  const publicListener = createPublicListener(context, listenerDependencies);
  const publicServer = publicListener.server;
  shutdown.add('public listener', () => publicServer.drain(0));
  const tokens = new Tokens({ registry: metrics.registry, clock, logger });
  shutdown.add('token issuers', () => tokens.stop());
  // Each generation sets which foreign keys are redacted, and whether tokens are.
  shutdown.add('redaction of foreign keys', () => {
    redactForeignKeys([]);
    redactTokens(false);
  });

  // The control plane: admin API with the console, and the portal.
  const firstStart = createFirstStart(context, records, upstreams);
  const opened = { records, counters, history, background, upstreams, firstStart };
  const system = openSystemReports(context, identity, opened);
  shutdown.add('system', () => system.stop());
  const openedConsole = await openConsole(fixed.admin, logger, processContext.consoleFolder);
  const pages = await openPortalPages(context);
  const portal = pages === null ? null : { pages, server: createApiListener('portal', context, listenerDependencies) };
  const portalServer = portal?.server ?? null;
  if (portalServer !== null) shutdown.add('portal listener', (remainingMs) => portalServer.drain(remainingMs));
  const previewing = new Previewing(context, {
    previewConfig: processContext.previewConfig,
    certificates,
    upstreams,
  });
  const reloading = new Reloading({
    inForce,
    findEffects: (next, subjects) => previewing.findEffects(next, subjects),
    loadConfig: processContext.loadConfig,
    isDraining,
    registry,
    metrics: metrics.reloads,
    logger,
    reportConfig: createConfigReports(context, heartbeat),
  });
  shutdown.add('reloading', () => reloading.stop());
  watchMetrics(context, { ...opened, credentials, certificates, connections: publicServer.connections, portalServer });

  // The first generation serves requests as soon as the ports are open.
  const generations = new Generations(context, {
    ...opened,
    credentials,
    bans,
    addressRefusals,
    trustedProxies,
    tokens,
    publicListener,
    adminServer,
    console: openedConsole,
    portal,
    system,
    health: createHealth(opened, isDraining),
    previewing,
    reloading,
  });
  const adminTokens = await generations.start();
  reloading.start(generations.prepare);
  const urls = await startListening(context, { publicServer, adminServer, portalServer });
  // The demo key is shown only once, and would be lost if a later step failed. So this is the last step that can fail.
  // (If no console link can be created, the start continues.)
  const { demoKey, isFirst } = await firstStart.run();
  shutdown.add('first start', () => firstStart.stop());
  const adminUrl = new URL(urls.adminUrl);
  const link = { sessions: records.sessions, token: adminTokens[0], host: fixed.adminHost, adminUrl, clock, logger };
  // Requests that users try in the portal go to the public server, so both servers drain at the same time.
  const drainedServers = portalServer === null ? [publicServer] : [publicServer, portalServer];
  return {
    ...urls,
    portalPagesUrl: portal?.pages.hasPages === true ? findPortalPagesUrl(portalServer, fixed) : null,
    demoKey,
    isFirstStart: isFirst,
    consoleLink: isFirst ? await createFirstLink(openedConsole, link) : null,
    reload: reloading.reload,
    drain: () => shutdown.drain(drainedServers, fixed.drain),
  };
}
