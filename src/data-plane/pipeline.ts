import type { Logger } from 'pino';
import type { ClientAddress, IsTrustedProxy } from '../http/addresses.ts';
import type { Clock } from '../base/time.ts';
import type { ForeignKeyFormat } from '../domain/key-format.ts';
import type { AddressLimiter } from '../http/call-limiter.ts';
import type { Tracing } from '../telemetry/traces/tracing.ts';
import type { AdmissionStore } from './admission/store.ts';
import type { RequestsInFlight } from './admission/requests-in-flight.ts';
import type { CredentialCache } from './credentials/credential-cache.ts';
import { createIsForeignKey, createReadForeignKey, type ForeignHashes } from './credentials/foreign-keys.ts';
import type { TryItConnections } from './credentials/try-it-connections.ts';
import type { DecisionObserver, RequestObserver } from './exchange/request-record.ts';
import { type EndpointLimits, type FindEndpoint, createGatewayEndpoints } from './steps/gateway-endpoints.ts';
import type { Route } from './upstreams/upstream.ts';
import type { TunnelRegistry } from './websocket/tunnel-registry.ts';
import type { PushUsage } from './exchange/push-usage.ts';
import type { Exchange } from './exchange/exchange.ts';
import type { ErrorStep, Phases, Running } from './exchange/run-steps.ts';
import { createAdmit } from './steps/admit.ts';
import { createApiCatalog } from './steps/api-catalog.ts';
import { createAuthenticate, type ForeignKeys } from './steps/authenticate.ts';
import { createBeginTrace } from './steps/begin-trace.ts';
import { createConcurrentRequests } from './steps/concurrent-requests.ts';
import { createCorsHeaders, createPreflight } from './steps/cors.ts';
import { createEdge } from './steps/edge.ts';
import { createFailedAttempts, type OnAddressRefused } from './steps/failed-attempts.ts';
import { createForward } from './steps/forward.ts';
import { createIncludedOperations, type PlansIncluding } from './steps/included-operations.ts';
import { createGone } from './steps/gone.ts';
import { createLifecycleHeaders } from './steps/lifecycle.ts';
import { createMatch } from './steps/match.ts';
import { createObserve } from './steps/observe.ts';
import { createPublicOperations } from './steps/public-operations.ts';
import { createRequestId } from './steps/request-id.ts';
import type { Upgrade } from './steps/websocket-upgrade.ts';

export interface PipelineOptions {
  /** The operations that are served, and their upstreams. */
  readonly routes: readonly Route[];
  readonly credentials: CredentialCache;
  readonly tryItConnections: TryItConnections;
  readonly admission: AdmissionStore;
  readonly inFlight: RequestsInFlight;
  /** Counts failed attempts by address. */
  readonly addressLimiter: AddressLimiter;
  /** Counts calls to public operations that have no key, by address. */
  readonly publicLimiter: AddressLimiter;
  readonly tunnels: TunnelRegistry;
  /** Finds the endpoints below `/_gateway/`. They need records and history, so they belong to the control plane. */
  readonly findEndpoint: FindEndpoint;
  readonly endpointLimits: EndpointLimits;
  readonly plansIncluding: PlansIncluding;
  /** The catalog of the API, as JSON; null if there is none. */
  readonly apiCatalog: (() => string) | null;
  readonly onAddressRefused: OnAddressRefused;
  /** `keys.selfRevoke`. */
  readonly selfRevoke: boolean;
  readonly foreignKeys: readonly ForeignKeyFormat[];
  readonly foreignHashes: ForeignHashes;
  /** Called for every finished request, before the access log. */
  readonly observers: readonly RequestObserver[];
  readonly decisionObservers: readonly DecisionObserver[];
  /** Null if traces are off. */
  readonly tracing: Tracing | null;
  readonly clientAddress: ClientAddress;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Origins that browser scripts may call from. */
  readonly corsOrigins: readonly string[];
  /** Names of response headers of services that these scripts may read. */
  readonly exposedHeaders: readonly string[];
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly ietfHeaders: boolean;
  readonly afterSunset: 'serve' | 'gone';
  readonly clock: Clock;
  readonly logger: Logger;
  readonly running: Running;
  readonly pushUsage: PushUsage;
  /** Lets an upstream write the response without losing the gateway's headers. */
  readonly protect: (exchange: Exchange) => void;
  readonly interrupt: ErrorStep['interrupt'];
  readonly upgrade: Upgrade;
}

/** The request path: what happens to every request, in this order. */
export function createPipeline(options: PipelineOptions): Phases {
  const { routes, admission: store, addressLimiter, clientAddress, corsOrigins: origins, pushUsage } = options;
  const {
    apiCatalog,
    clock,
    logger,
    tracing,
    credentials: credentialCache,
    interrupt,
    upgrade,
    protect,
    foreignKeys,
  } = options;
  // The methods of the gateway's own endpoints.
  const methods = new Set(['GET', 'HEAD', 'POST', ...routes.map(({ operation }) => operation.method)]);
  const cors = origins.length > 0;
  const failedAttempts = createFailedAttempts(options);
  const takesSlashes = routes.some(({ operation, encodedSlashes }) => operation.hasRest || encodedSlashes === 'pass');
  return {
    arrive: [
      // Before any step that can respond, so that every response is recorded.
      createObserve(options.observers, options.running, options.inFlight),
      // Before any step that can refuse, so that refusals have spans too.
      ...(tracing === null ? [] : [createBeginTrace(tracing, options.isTrustedProxy)]),
      // Before any step that can refuse, so that a refusal can be traced.
      createRequestId(),
      // Before any step that can refuse, because otherwise a script could not read the reason.
      ...(cors ? [createCorsHeaders(origins, options.exposedHeaders)] : []),
      // Before anything reads the path: an ambiguous request is refused.
      createEdge(takesSlashes ? 'pass' : 'refuse'),
      // After the edge, but before authentication: browsers send no key with a preflight.
      ...(cors ? [createPreflight({ origins, methods, addressLimiter, clientAddress })] : []),
      // Before the match: everybody may read it, whatever the documents have.
      ...(apiCatalog === null ? [] : [createApiCatalog({ apiCatalog, addressLimiter, clientAddress })]),
      createMatch(routes),
      // Before authentication, so that a 401 announces a sunset too.
      createLifecycleHeaders(routes),
    ],
    authenticate: createAuthenticate({
      credentialCache,
      tryItConnections: options.tryItConnections,
      addressLimiter,
      clientAddress,
      failedAttempts,
      selfRevoke: options.selfRevoke,
      foreignKeys: createForeignKeys(options),
      clock,
    }),
    serve: [
      // Before admission: a caller that is banned or out of quota can ask for how long.
      createGatewayEndpoints({ ...options, store, failedAttempts }),
      // After authentication, to know who still calls; before admission, because 410 costs nothing.
      createGone({ afterSunset: options.afterSunset, clock, logger }),
      // Before admission: what is refused for good costs nothing, and is no strike.
      createIncludedOperations(options.plansIncluding),
      // Next to admission, which does not apply to calls without a key.
      createPublicOperations({ addressLimiter: options.publicLimiter, clientAddress }),
      // Before admission: what is refused costs nothing, is no strike, and needs no call to the store.
      createConcurrentRequests(options.inFlight),
      createAdmit({ store, pushUsage, decisionObservers: options.decisionObservers }),
      // Runs after admission, so that a request that matches no operation is counted as well.
      createForward({ ...options, foreignKeys, interrupt, upgrade, protect }),
    ],
  };
}

function createForeignKeys({ foreignKeys, foreignHashes: hashes }: PipelineOptions): ForeignKeys | null {
  const read = createReadForeignKey(foreignKeys);
  return read === null ? null : { read, isKey: createIsForeignKey(foreignKeys), hashes };
}
