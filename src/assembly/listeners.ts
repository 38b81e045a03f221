/** The servers for consumers, operators and portal users, and their records of connections and callers. */
import type { Context } from './context.ts';
import type { FixedConfig, LiveConfig } from '../config/config.ts';
import { type ApiServer, createApiServer, joinUrl } from '../control-plane/api-server/server.ts';
import { PAGES_PATH } from '../control-plane/portal/portal-paths.ts';
import { TryItConnections } from '../data-plane/credentials/try-it-connections.ts';
import { createPublicServer, type PublicServer } from '../data-plane/listener/public-server.ts';
import { RequestsInFlight } from '../data-plane/admission/requests-in-flight.ts';
import { createEndpointLimiters } from '../data-plane/steps/gateway-endpoints.ts';
import { BodyBudget } from '../data-plane/validation/body-budget.ts';
import { TunnelRegistry } from '../data-plane/websocket/tunnel-registry.ts';
import { AddressLimiter } from '../http/call-limiter.ts';
import type { TrustedProxies } from '../http/addresses.ts';
import { listen, formatUrl } from '../http/http-server.ts';
import type { Certificates } from '../http/reloaded-certificate.ts';

/** Dependencies of all listeners. */
interface ListenerDependencies {
  readonly certificates: Certificates;
  readonly trustedProxies: TrustedProxies;
}

/** Creates the server of the admin API or of the portal. It does not listen yet. */
export function createApiListener(
  section: 'admin' | 'portal',
  { fixed, clock, logger }: Context,
  { certificates, trustedProxies }: ListenerDependencies,
): ApiServer {
  return createApiServer({
    section,
    limits: fixed[section],
    isTrustedProxy: trustedProxies.includes,
    clock,
    logger,
    certificate: certificates[section],
  });
}

/** The listener for consumers, and the state of connections and callers that must survive a reload. */
export type PublicListener = ReturnType<typeof createPublicListener>;

export function createPublicListener(
  { fixed, inForce, metrics, clock, logger }: Context,
  { certificates, trustedProxies }: ListenerDependencies,
) {
  const { maxTunnels: maxPerKey, tunnelIdle: idleMs } = fixed.edge;
  const limits = toAddressLimits(inForce.live);
  const addressLimiter = new AddressLimiter(limits.failedAttempts, clock);
  const tunnels = new TunnelRegistry({ maxPerKey, idleMs, logger });
  const server: PublicServer = createPublicServer(fixed.edge, {
    tunnels,
    addressLimiter,
    isTrustedProxy: trustedProxies.includes,
    logger,
    metrics: metrics.requests,
    certificate: certificates.public,
  });
  return {
    server,
    tunnels,
    inFlight: new RequestsInFlight(),
    bodyBudget: new BodyBudget(inForce.live.validation.maxBuffered),
    addressLimiter,
    publicLimiter: new AddressLimiter(limits.publicRequests, clock),
    endpointLimits: createEndpointLimiters(),
    tryItConnections: new TryItConnections(),
  };
}

/** The configured limits for an address: failed attempts, and requests without a key. */
export function toAddressLimits({ guard: { failedAttempts, publicRequests, within: withinMs } }: LiveConfig) {
  return {
    failedAttempts: { limit: failedAttempts, withinMs },
    publicRequests: { limit: publicRequests, withinMs },
  };
}

interface Servers {
  readonly publicServer: PublicServer;
  readonly adminServer: ApiServer;
  /** Null if the portal is not enabled. */
  readonly portalServer: ApiServer | null;
}

/** @throws StartError if a server cannot listen */
export async function startListening({ fixed }: Context, { publicServer, adminServer, portalServer }: Servers) {
  const { host, port, adminHost, adminPort, portalHost, portalPort } = fixed;
  const { reusePort } = fixed.edge;
  const publicUrl = await listen(publicServer.server, { host, port, portVariable: 'TOLLGATE_PORT', reusePort });
  const admin = { host: adminHost, port: adminPort, portVariable: 'TOLLGATE_ADMIN_PORT' };
  const adminUrl = await listen(adminServer.server, admin);
  const portal = { host: portalHost, port: portalPort, portVariable: 'TOLLGATE_PORTAL_PORT' };
  const portalUrl = portalServer === null ? null : await listen(portalServer.server, portal);
  return { publicUrl, adminUrl, portalUrl };
}

/**
 * The URL of the portal's pages. Null if there is no portal, or if no URL is configured and the portal does not listen
 * yet.
 */
export function findPortalPagesUrl(portalServer: ApiServer | null, { portal: { url } }: FixedConfig): string | null {
  if (portalServer === null) return null;
  if (url !== undefined) return joinUrl(new URL(url), PAGES_PATH);
  return portalServer.server.listening ? joinUrl(new URL(formatUrl(portalServer.server)), PAGES_PATH) : null;
}
