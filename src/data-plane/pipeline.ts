import type { Logger } from 'pino';
import type { AdmissionStore } from './admission/store.ts';
import type { CredentialCache } from './credentials/credential-cache.ts';
import type { Route } from './upstreams/upstream.ts';
import { createAccessLog, type OnEnded } from './observers/access-log.ts';
import { createAdmit, type OnBanned } from './steps/admit.ts';
import { createAuthenticate } from './steps/authenticate.ts';
import type { Tracing } from '../telemetry/traces/tracing.ts';
import type { ClientAddress, IsTrustedProxy } from '../http/addresses.ts';
import { createCorsHeaders, createPreflight } from './steps/cors.ts';
import { createEdge } from './steps/edge.ts';
import type { EndpointsSettings } from '../control-plane/gateway-endpoints/index.ts';
import { createErrors } from './steps/errors.ts';
import type { Exchange, Refusal, Step } from './exchange.ts';
import { createForward } from './steps/forward.ts';
import type { AddressLimiter } from '../http/address-limiter.ts';
import { createGone } from './steps/gone.ts';
import { createLifecycleHeaders } from './steps/lifecycle-headers.ts';
import { createMatch } from './steps/match.ts';
import { createGatewayEndpoints } from './steps/gateway-endpoints.ts';
import { reservedNames } from './answers/gateway-headers.ts';
import type { VouchedKeys } from './caller/vouched-keys.ts';
import { createPermissionOf } from './caller/permission.ts';
import { createPublicOperations } from './steps/public-operations.ts';
import { createPushKnownUsage } from './answers/known-usage.ts';
import { createPushUsage } from './answers/rate-limit-headers.ts';
import { createRequestId } from './steps/request-id.ts';
import type { OnDecided } from '../control-plane/events/quota-thresholds.ts';
import { createRunner } from './run.ts';
import type { TunnelRegistry } from './websocket/tunnel-registry.ts';
import { Running } from './running.ts';
import { createBeginTrace } from './steps/begin-trace.ts';
import { createUnmatched } from './steps/unmatched.ts';
import { createUpgrade } from './websocket/upgrade.ts';

export interface PipelineSettings extends EndpointsSettings {
  readonly routes: readonly Route[];
  readonly credentialCache: CredentialCache;
  readonly vouchedKeys: VouchedKeys;
  readonly store: AdmissionStore;
  readonly addressLimiter: AddressLimiter;
  /** Counts the calls without a key, by address, to operations that need none. */
  readonly publicLimiter: AddressLimiter;
  readonly tunnels: TunnelRegistry;
  /** Origins whose scripts in browsers may call. */
  readonly corsOrigins: readonly string[];
  readonly clientAddress: ClientAddress;
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly logger: Logger;
  readonly ietfHeaders: boolean;
  readonly afterSunset: 'serve' | 'gone';
  /** Null where traces are off. */
  readonly tracing: Tracing | null;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Called for every response that is over. */
  readonly onEnded: OnEnded;
  readonly onDecided: OnDecided;
  readonly onBanned: OnBanned;
}

export interface Pipeline {
  readonly run: (exchange: Exchange) => void;
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** Resolves once none of its requests is at work, and none of its WebSockets open. */
  readonly idle: () => Promise<void>;
  /** The names of the steps, in order. */
  readonly order: readonly string[];
}

/** The request path: what happens to every request, in this order. */
export function createPipeline(settings: PipelineSettings): Pipeline {
  const { routes, credentialCache, store, addressLimiter, clientAddress, clock, logger } = settings;
  const pushUsage = createPushUsage(settings.ietfHeaders);
  const pushKnownUsage = createPushKnownUsage({ addressLimiter, store, clientAddress, pushUsage });
  const errors = createErrors(pushKnownUsage, logger);
  // GET and HEAD: those of the gateway's own endpoints.
  const methods = new Set(['GET', 'HEAD', ...routes.map(({ operation }) => operation.method)]);
  const { tunnels, corsOrigins: origins } = settings;
  const cors = origins.length > 0;
  const reserved = reservedNames(cors);
  const permissionOf = createPermissionOf({ credentialCache, store, clock });
  const onEventStream = (exchange: Exchange) => tunnels.addEventStream(exchange.res, permissionOf(exchange));
  const protect = (exchange: Exchange) => {
    exchange.res.protect(exchange, reserved, onEventStream);
    // Errors that an upstream causes on the response where nobody awaits it, such as writing after the end.
    exchange.res.on('error', (error) => errors.fail(exchange, error));
  };
  const upgrade = createUpgrade({ tunnels, permissionOf, clientAddress, reserved, protect });
  const running = new Running();
  const steps: Step[] = [
    // Before any step that can answer, so that every answer has its line.
    createAccessLog(logger, (exchange, now) => {
      running.ended(exchange.tunnel);
      settings.onEnded(exchange, now);
    }),
    // Before any step that can refuse, so that refusals have spans too.
    ...(settings.tracing === null ? [] : [createBeginTrace(settings.tracing, settings.isTrustedProxy)]),
    // Before any step that can refuse, so that a refusal can be traced.
    createRequestId(),
    // Before any step that can refuse, or a script could not read why it was refused.
    ...(cors ? [createCorsHeaders(origins)] : []),
    // Before anything reads the path: a request that can be read in two ways goes no further.
    createEdge(cors ? new Set([...methods, 'OPTIONS']) : methods),
    // After the edge, but before the key is checked: browsers send none with a preflight.
    ...(cors ? [createPreflight({ origins, methods, addressLimiter, clientAddress })] : []),
    createMatch(routes),
    // Before authentication, so that a 401 announces a sunset too.
    createLifecycleHeaders(routes),
    createAuthenticate({ credentialCache, vouchedKeys: settings.vouchedKeys, addressLimiter, clientAddress, clock }),
    // Before admission: a key that is out of quota or banned may ask until when.
    createGatewayEndpoints({ ...settings, pushUsage }),
    // After authentication, so that it is known who still calls; before admission: what is gone costs nothing.
    createGone({ afterSunset: settings.afterSunset, clock, logger }),
    // Beside admission, which has no part in calls without a key.
    createPublicOperations({ addressLimiter: settings.publicLimiter, clientAddress, clock }),
    createAdmit({ ...settings, pushUsage }),
    // After admission: a request that matches nothing is counted like any other.
    createUnmatched(),
    createForward({
      clientAddress,
      dropHeaders: settings.dropHeaders,
      interrupt: errors.interrupt,
      upgrade,
      protect,
    }),
  ];
  const run = createRunner(steps, errors);
  return {
    run(exchange) {
      running.begun();
      run(exchange);
    },
    idle: () => running.idle(),
    interrupt: errors.interrupt,
    order: [...steps.map((step) => step.name), 'errors'],
  };
}
