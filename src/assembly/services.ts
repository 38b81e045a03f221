/** Background work: traces, webhooks and hourly tasks. */
import type { Context } from './context.ts';
import type { Records } from './storage.ts';
import { digestConfig } from '../config/config-digest.ts';
import { readLogo } from '../config/logo.ts';
import { redactSetting } from '../config/settings-in-force.ts';
import type { Health } from '../control-plane/admin/resources/probes.ts';
import type { ApiServer } from '../control-plane/api-server/server.ts';
import type { History } from '../control-plane/history/open-history.ts';
import type { OpenPortal } from '../control-plane/portal/open-portal.ts';
import { listNamedPlans } from '../control-plane/portal/named-plans.ts';
import { FirstStart } from '../control-plane/registry/first-start.ts';
import { openSchedule } from '../control-plane/schedule/open-schedule.ts';
import { openSystem } from '../control-plane/system/open-system.ts';
import type { GatewayIdentity, Heartbeat } from '../control-plane/system/heartbeat.ts';
import { openWebhooks } from '../control-plane/webhooks/open-webhooks.ts';
import { WebhookMetrics } from '../control-plane/webhooks/webhook-metrics.ts';
import type { OpenStore } from '../data-plane/admission/store.ts';
import type { CredentialCache } from '../data-plane/credentials/credential-cache.ts';
import type { Connections } from '../http/connections.ts';
import type { Upstreams } from '../data-plane/upstreams/open-upstream.ts';
import type { Certificates } from '../http/reloaded-certificate.ts';

export type Background = Awaited<ReturnType<typeof openBackground>>;

interface BackgroundOptions {
  readonly records: Records;
  readonly history: History;
  readonly upstreams: Upstreams;
  readonly isStopping: () => boolean;
}

export async function openBackground(
  context: Context,
  { records: { database, events }, history, upstreams, isStopping }: BackgroundOptions,
) {
  const { fixed, inForce, metrics, logger, clock } = context;
  const tracing = await openTraces(context);
  const webhooks = openWebhooks({
    ...fixed.events,
    database,
    serviceEventTypes: () => upstreams.eventTypes,
    isStopping,
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
    tokenIssuers: () => inForce.live.tokens,
    clock,
    logger,
  });
  return { tracing, webhooks, schedule };
}

/** Loads OpenTelemetry only if traces are on, to keep the start fast. */
async function openTraces({ fixed: { traces }, metrics, logger }: Context) {
  if (traces === null) return null;
  const { openTracing } = await import('../telemetry/traces/sdk/open-tracing.ts');
  return openTracing(traces, metrics.traces, logger);
}

/** Loads the portal only if it is enabled. @throws StartError if the logo cannot be used */
export async function openPortalPages({ fixed, logger, processContext }: Context): Promise<OpenPortal | null> {
  const { portal } = fixed;
  const { portalFolder: folder, portalRequestsPerMinute: requestsPerMinute } = processContext;
  if (!portal.enabled) return null;
  const logo = portal.logo === undefined ? null : readLogo(portal.logo);
  const { openPortal } = await import('../control-plane/portal/open-portal.ts');
  return openPortal({ ...portal, logo }, logger, { folder, requestsPerMinute });
}

export function createFirstStart(
  { fixed, inForce, logger, clock }: Context,
  { registry }: Records,
  upstreams: Upstreams,
): FirstStart {
  return new FirstStart(registry, {
    plans: inForce.live.plans,
    demo: fixed.demo,
    host: fixed.host,
    getNamedPlans: () => listNamedPlans({ ...fixed.portal, ...inForce.live.portal }),
    getRoutes: () => upstreams.routes,
    logger,
    clock,
  });
}

/** Creates the function that tells the other gateways which configuration is in force here. */
export function createConfigReports(
  { fixed, inForce }: Context,
  heartbeat: Pick<Heartbeat, 'setConfig'>,
): () => Promise<void> {
  return async function reportConfig() {
    const { live } = inForce;
    const digest = await digestConfig(fixed, live);
    // A later reload reports its own.
    if (inForce.live === live) heartbeat.setConfig(digest);
  };
}

interface OpenedParts {
  readonly records: Records;
  readonly counters: OpenStore;
  readonly history: History;
  readonly background: Background;
  readonly upstreams: Upstreams;
  readonly firstStart: FirstStart;
}

/** Opens the reports on the state of the gateway itself and of everything that it depends on. */
export function openSystemReports({ fixed, inForce, clock }: Context, gateway: GatewayIdentity, opened: OpenedParts) {
  const { records, counters, history, background, upstreams, firstStart } = opened;
  return openSystem({
    gateway,
    database: records.database,
    counters: { kind: fixed.store.kind, failure: counters.failure },
    records: { kind: fixed.database.kind, hasLostPlans: () => firstStart.hasLostPlans() },
    history,
    delivery: background.webhooks.delivery,
    upstreams: () => upstreams.all,
    file: fixed.file,
    settings: () => inForce.settings.map(redactSetting),
    clock,
  });
}

/** Creates the function that tells health probes whether this gateway should get requests. */
export function createHealth(
  { records, counters, firstStart }: Pick<OpenedParts, 'records' | 'counters' | 'firstStart'>,
  isDraining: () => boolean,
): () => Health {
  return function health() {
    if (isDraining()) return 'draining';
    if (!firstStart.isDone()) return 'starting';
    const isDegraded = counters.failure() !== null || records.database.state() !== 'up' || firstStart.hasLostPlans();
    return isDegraded ? 'degraded' : 'ready';
  };
}

interface MeasuredParts extends Pick<OpenedParts, 'records' | 'history' | 'upstreams'> {
  readonly credentials: CredentialCache;
  readonly certificates: Certificates;
  readonly connections: Connections;
  readonly portalServer: ApiServer | null;
}

/** Registers the metrics whose values are read on every scrape. */
export function watchMetrics({ metrics, processContext }: Context, measured: MeasuredParts): void {
  const { records, history, upstreams, credentials, certificates, connections, portalServer } = measured;
  metrics.watch({
    credentialCache: credentials,
    database: records.database,
    history,
    events: records.events,
    connections,
    log: processContext.log ?? { dropped: 0 },
    upstreams: () => upstreams.all,
    upstreamConnections: () => upstreams.connections,
    certificates: { ...certificates, portal: portalServer === null ? null : certificates.portal },
  });
}
