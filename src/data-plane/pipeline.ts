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
import { type EndpointLimiters, type FindEndpoint, createGatewayEndpointsStep } from './steps/gateway-endpoints.ts';
import type { Route } from './upstreams/upstream.ts';
import type { TunnelRegistry } from './websocket/tunnel-registry.ts';
import type { PushUsageHeaders } from './exchange/push-usage.ts';
import type { Exchange } from './exchange/exchange.ts';
import type { ErrorStep, Phases, RunningRequests } from './exchange/run-steps.ts';
import { createAdmitStep } from './steps/admit.ts';
import { createApiCatalogStep } from './steps/api-catalog.ts';
import { createAuthenticateStep, type ForeignKeys } from './steps/authenticate.ts';
import type { AccessTokens } from './steps/authenticate-token.ts';
import { createBeginTraceStep } from './steps/begin-trace.ts';
import { createBodyLimit } from './steps/body-limit.ts';
import { createConcurrentRequestsStep } from './steps/concurrent-requests.ts';
import { createCorsHeadersStep, createPreflightStep } from './steps/cors.ts';
import { createEdgeStep } from './steps/edge.ts';
import { createFailedAttempts, type OnAddressRefused } from './steps/failed-attempts.ts';
import { createForwardStep } from './steps/forward.ts';
import { createIncludedOperationsStep, type FindPlansIncluding } from './steps/included-operations.ts';
import { createGoneStep } from './steps/gone.ts';
import { createLifecycleStep } from './steps/lifecycle.ts';
import { createMatchStep } from './steps/match.ts';
import { createObserveStep } from './steps/observe.ts';
import { createProtectedResource, createResourceMetadata } from './steps/protected-resource.ts';
import { createTokenScopesStep } from './steps/token-scopes.ts';
import { createPublicOperationsStep } from './steps/public-operations.ts';
import { createRequestIdStep } from './steps/request-id.ts';
import { createUnmatched } from './steps/unmatched.ts';
import { createValidate } from './steps/validate.ts';
import type { BodyBudget } from './validation/body-budget.ts';
import type { ValidationObserver } from './validation/checked-request.ts';
import type { Upgrade } from './steps/websocket-upgrade.ts';

export interface PipelineOptions {
  /** The operations that are served, and their upstreams. */
  readonly routes: readonly Route[];
  readonly credentialCache: CredentialCache;
  readonly tryItConnections: TryItConnections;
  readonly store: AdmissionStore;
  readonly inFlight: RequestsInFlight;
  /** Counts failed attempts by address. */
  readonly addressLimiter: AddressLimiter;
  /** Counts calls without a key to public operations, by address. */
  readonly publicLimiter: AddressLimiter;
  readonly tunnels: TunnelRegistry;
  /** Finds the endpoints below `/_gateway/`. The control plane provides them, because they need the registry and history. */
  readonly findEndpoint: FindEndpoint;
  readonly endpointLimiters: EndpointLimiters;
  readonly findPlansIncluding: FindPlansIncluding;
  /** The catalog of the API, as JSON; null if there is none. */
  readonly getApiCatalog: (() => string) | null;
  readonly onAddressRefused: OnAddressRefused;
  /** `keys.selfRevoke`. */
  readonly selfRevoke: boolean;
  /** Null if no access tokens are accepted. */
  readonly tokens: TokenOptions | null;
  readonly foreignKeys: readonly ForeignKeyFormat[];
  readonly foreignHashes: ForeignHashes;
  /** Called for every finished request, before the access log. */
  readonly observers: readonly RequestObserver[];
  readonly decisionObservers: readonly DecisionObserver[];
  /** Maximum size of a body that is compared with its document, in bytes. */
  readonly maxCheckedBytes: number;
  /** Memory of all bodies that are kept to be checked. */
  readonly bodyBudget: BodyBudget;
  readonly validationObservers: readonly ValidationObserver[];
  /** Null if traces are off. */
  readonly tracing: Tracing | null;
  readonly clientAddress: ClientAddress;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Origins that browser scripts may call from. */
  readonly corsOrigins: readonly string[];
  /** Names of response headers of services that browser scripts may read. */
  readonly exposedHeaders: readonly string[];
  /** Request headers that no service sees: names, or prefixes with a `*`. */
  readonly dropHeaders: readonly string[];
  readonly ietfHeaders: boolean;
  readonly afterSunset: 'serve' | 'gone';
  readonly clock: Clock;
  readonly logger: Logger;
  readonly running: RunningRequests;
  readonly pushUsage: PushUsageHeaders;
  /** Lets an upstream write the response without losing the gateway's headers. */
  readonly protect: (exchange: Exchange) => void;
  readonly interrupt: ErrorStep['interrupt'];
  readonly upgrade: Upgrade;
}

/** The dependencies of accepting access tokens. */
export interface TokenOptions extends Omit<AccessTokens, 'metadata'> {
  /** `portal.apiUrl`. */
  readonly apiUrl: string | undefined;
}

/** Creates the request path: the steps that every request passes through, in order. */
export function createPipeline(options: PipelineOptions): Phases {
  const { routes, store, addressLimiter, clientAddress, corsOrigins: origins, pushUsage } = options;
  const { getApiCatalog, clock, logger, tracing, credentialCache, interrupt, upgrade, protect, foreignKeys } = options;
  // GET, HEAD and POST are the methods of the gateway's own endpoints.
  const methods = new Set(['GET', 'HEAD', 'POST', ...routes.map(({ operation }) => operation.method)]);
  const handlesCors = origins.length > 0;
  const failedAttempts = createFailedAttempts(options);
  const tokens = createAccessTokens(options);
  const acceptsEncodedSlashes = routes.some(
    ({ operation, encodedSlashes }) => operation.hasRest || encodedSlashes === 'pass',
  );
  return {
    arrive: [
      // Every response must be recorded, so this step comes before any step that can respond.
      createObserveStep(options.observers, options.running, options.inFlight),
      // Refusals have spans too, so this step comes before any step that can refuse.
      ...(tracing === null ? [] : [createBeginTraceStep(tracing, options.isTrustedProxy)]),
      // Refusals have a request id too, so this step comes before any step that can refuse.
      createRequestIdStep(),
      // A script can read the reason of a refusal only with these headers, so this step comes before any step that can
      // refuse.
      ...(handlesCors ? [createCorsHeadersStep(origins, options.exposedHeaders)] : []),
      // Ambiguous requests are refused before any other step reads the path.
      createEdgeStep(acceptsEncodedSlashes ? 'pass' : 'refuse'),
      // Browsers send no key with a preflight, so this step comes before authentication.
      ...(handlesCors ? [createPreflightStep({ origins, methods, addressLimiter, clientAddress })] : []),
      // Everybody may read the catalog, even if a document has an operation with the same path, so this step comes
      // before the match.
      ...(getApiCatalog === null ? [] : [createApiCatalogStep({ getApiCatalog, addressLimiter, clientAddress })]),
      // For the same reason, this step comes before the match.
      ...(tokens === null
        ? []
        : [createProtectedResource({ ...tokens, addressLimiter: options.publicLimiter, clientAddress })]),
      createMatchStep(routes),
      // A 401 announces a sunset too, so this step comes before authentication.
      createLifecycleStep(routes),
    ],
    authenticate: createAuthenticateStep({
      tokens,
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
      // A caller that is banned or out of quota can ask how long that lasts, so this step comes before admission.
      createGatewayEndpointsStep({ ...options, store, failedAttempts }),
      // The history shows who still calls a retired operation, so this step comes after authentication. A refusal here
      // costs nothing, so it comes before admission.
      createGoneStep({ afterSunset: options.afterSunset, clock, logger }),
      // A permanent refusal costs nothing and is not a strike, so this step comes before admission.
      createIncludedOperationsStep(options.findPlansIncluding),
      // For the same reason, this step comes before admission.
      ...(tokens !== null && routes.some(({ requiredScopes }) => requiredScopes !== null)
        ? [createTokenScopesStep(tokens.metadata)]
        : []),
      // Admission does not apply to calls without a key. This step limits them instead.
      createPublicOperationsStep({ addressLimiter: options.publicLimiter, clientAddress }),
      // A refusal here costs nothing, is not a strike, and changes nothing in the store, so this step comes before
      // admission.
      createConcurrentRequestsStep(options.inFlight),
      createAdmitStep({ store, pushUsage, decisionObservers: options.decisionObservers }),
      // A request that matches no operation is counted as well, so this step comes after admission.
      createUnmatched(),
      createBodyLimit(interrupt),
      // An invalid request costs as much as any request that is served, so this step comes after admission.
      ...(routes.some(({ validation }) => validation !== null) ? [createValidate(options)] : []),
      createForwardStep({ ...options, foreignKeys, upgrade, protect }),
    ],
  };
}

function createAccessTokens({ tokens, isTrustedProxy }: PipelineOptions) {
  if (tokens === null) return null;
  const { apiUrl, verifier } = tokens;
  const issuers = verifier.issuers.map(({ config }) => config.issuer).filter((issuer) => URL.canParse(issuer));
  return { ...tokens, issuers, metadata: createResourceMetadata({ apiUrl, isTrustedProxy }) };
}

function createForeignKeys({ foreignKeys, foreignHashes: hashes }: PipelineOptions): ForeignKeys | null {
  const read = createReadForeignKey(foreignKeys);
  return read === null ? null : { read, isKey: createIsForeignKey(foreignKeys), hashes };
}
