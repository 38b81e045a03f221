import type { Logger } from 'pino';
import type { FindEndpoint } from './steps/gateway-endpoints.ts';
import type { Clock } from '../base/clock.ts';
import type { AddressLimiter } from '../http/address-limiter.ts';
import type { ClientAddress, IsTrustedProxy } from '../http/client-address.ts';
import type { Tracing } from '../telemetry/traces/tracing.ts';
import type { AdmissionStore } from './admission/store.ts';
import { reservedNames } from './answers/gateway-headers.ts';
import { createPushKnownUsage } from './exchange/known-usage.ts';
import { createPushUsage } from './exchange/rate-limit-headers.ts';
import { createPermissionOf } from './websocket/permission.ts';
import type { VouchedKeys } from './credentials/vouched-keys.ts';
import type { CredentialCache } from './credentials/credential-cache.ts';
import type { Exchange, Refusal } from './exchange/exchange.ts';
import { createAccessLog } from './observers/access-log.ts';
import { recordServerSpan } from './observers/server-span.ts';
import { createPipeline } from './pipeline.ts';
import type { RequestObserver, DecisionObserver } from './exchange/request-record.ts';
import { createRunner } from './exchange/run.ts';
import { Running } from './exchange/running.ts';
import { createErrors } from './steps/errors.ts';
import type { Route } from './upstreams/upstream.ts';
import type { TunnelRegistry } from './websocket/tunnel-registry.ts';
import { createUpgrade } from './steps/upgrade.ts';

export interface DataPlaneOptions {
  /** What is served, and by whom. */
  readonly routes: readonly Route[];
  readonly credentials: CredentialCache;
  readonly vouchedKeys: VouchedKeys;
  readonly admission: AdmissionStore;
  /** Counts failed attempts by address. */
  readonly addressLimiter: AddressLimiter;
  /** Counts the calls without a key, by address, to operations that need none. */
  readonly publicLimiter: AddressLimiter;
  readonly tunnels: TunnelRegistry;
  /** Finds what answers below `/_gateway/`: it needs records and history, so it belongs to the control plane. */
  readonly findEndpoint: FindEndpoint;
  /** Called for every finished request, before the access log. */
  readonly observers: readonly RequestObserver[];
  readonly decisionObservers: readonly DecisionObserver[];
  /** Null where traces are off. */
  readonly tracing: Tracing | null;
  readonly clientAddress: ClientAddress;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Origins whose scripts in browsers may call. */
  readonly corsOrigins: readonly string[];
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly ietfHeaders: boolean;
  readonly afterSunset: 'serve' | 'gone';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What serves consumers' requests, as one configuration has it. A reload makes another, and exchanges the two. */
export interface DataPlane {
  readonly run: (exchange: Exchange) => void;
  /** Refuses a request that is already running; if its answer has begun, cuts it off. */
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** Resolves once none of its requests is at work, and none of its WebSockets open. */
  readonly idle: () => Promise<void>;
  /** The names of the steps, in order. */
  readonly order: readonly string[];
}

export function createDataPlane(options: DataPlaneOptions): DataPlane {
  const { admission: store, addressLimiter, clientAddress, credentials, tunnels, clock, logger } = options;
  const pushUsage = createPushUsage(options.ietfHeaders);
  const pushKnownUsage = createPushKnownUsage({ addressLimiter, store, clientAddress, pushUsage });
  const errors = createErrors(pushKnownUsage, logger);
  const reserved = reservedNames(options.corsOrigins.length > 0);
  const permissionOf = createPermissionOf({ credentialCache: credentials, store, clock });
  const onEventStream = (exchange: Exchange) => tunnels.addEventStream(exchange.res, permissionOf(exchange));
  const protect = (exchange: Exchange) => {
    exchange.res.protect(exchange, reserved, onEventStream);
    // Errors that an upstream causes on the response where nobody awaits it, such as writing after the end.
    exchange.res.on('error', (error) => errors.fail(exchange, error));
  };
  const running = new Running();
  const phases = createPipeline({
    ...options,
    observers: [...options.observers, ...(options.tracing === null ? [] : [recordServerSpan]), createAccessLog(logger)],
    running,
    pushUsage,
    protect,
    interrupt: errors.interrupt,
    upgrade: createUpgrade({ tunnels, permissionOf, clientAddress, reserved, protect }),
  });
  const run = createRunner(phases, errors);
  const steps = [...phases.arrive, phases.authenticate, ...phases.serve];
  return {
    run(exchange) {
      running.begun();
      run(exchange);
    },
    interrupt: errors.interrupt,
    idle: () => running.idle(),
    order: [...steps.map(({ name }) => name), 'errors'],
  };
}
