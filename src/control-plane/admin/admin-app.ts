import type { TokenIssuer } from '../../domain/token-caller.ts';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { AdmissionStore, IssuerReport } from '../../data-plane/boundary-types.ts';
import type { ServiceEvents } from '../events/service-events.ts';
import { createApp } from '../api-server/api-app.ts';
import { joinUrl } from '../api-server/server.ts';
import { type ApiDocument, loadDocument } from '../api-server/api-document.ts';
import { createRouter } from '../../openapi/operation-router.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';
import { createServeFiles, type StaticFiles } from '../api-server/static-files.ts';
import type { Events } from '../events/events.ts';
import { type IdentityProvider, createOidcSignIn, type OidcSignInDependencies } from '../sign-in/oidc-sign-in.ts';
import { createRoute } from '../api-server/route.ts';
import { createCountFailedAttempt } from '../api-server/failed-attempts.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import { createConfigurationOperations, type ReloadConfiguration, createSystemOperations } from './resources/system.ts';
import { createAuditOperations } from './resources/audit.ts';
import { type AdminToken, createTokenList } from './access/admin-tokens.ts';
import {
  type AdminAccessDependencies,
  createAuthenticate,
  NOBODY,
  createUnauthorized,
} from './access/authenticate-operator.ts';
import { createBanOperations } from './resources/bans.ts';
import { createBulkOperations } from './resources/keys-bulk.ts';
import { createEventOperations, createPublishOperations } from './resources/events.ts';
import { DOCUMENT_FILE, PREFIX, type ServiceWebhooks, withWebhooks } from './resources/admin-document.ts';
import { createImportOperations } from './resources/keys-import.ts';
import { createKeyOperations } from './resources/keys.ts';
import { CALLBACK_PATH, CONSOLE_PATH, OIDC_PATH, REDIRECTS } from './console-paths.ts';
import type { AdminOperations } from './resources/admin-handlers.ts';
import { createRefuseUnknown } from './resources/known-values.ts';
import { createOperationHandlers } from './resources/operations.ts';
import type { ConfigPreviewReads } from './resources/system-preview.ts';
import type { DocumentReads } from './resources/documents.ts';
import { createReadingOperations, selectReads } from './resources/reading.ts';
import { createOwnerOperations } from './resources/owners.ts';
import { createAccountOperations } from './resources/accounts.ts';
import { createAccountRequestOperations } from './resources/account-requests.ts';
import { createPlanRequestOperations } from './resources/plan-requests.ts';
import { createPlanOperations } from './resources/plans.ts';
import { createCheckRestrictions } from './resources/restrictions.ts';
import { createProbes, type ProbeDependencies } from './resources/probes.ts';
import { createFindRole, type OidcRoles, toIdentity } from './access/operator-roles.ts';
import type { ConsoleSessions } from './access/console-sessions.ts';
import { consoleCookie } from '../sign-in/browser-session.ts';
import { startSession } from '../sign-in/start-session.ts';
import { createSessionOperations } from './resources/sessions.ts';
import type { System } from '../system/system-info.ts';
import { createQuotaOperations } from './resources/quotas.ts';
import { createHistoryOperations, type HistoryOperationDependencies } from './resources/history.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { createCheckOwner } from './resources/token-callers.ts';
import { createTokenOperations } from './resources/tokens.ts';
import { createDeliveryOperations, createWebhookOperations } from './resources/webhooks.ts';

export interface AdminAppDependencies
  extends
    ProbeDependencies,
    HistoryOperationDependencies,
    Omit<DocumentReads, 'audience'>,
    Pick<ConfigPreviewReads, 'previewReload'> {
  /** URL of the portal; null if there is none. */
  readonly portalUrl: () => string | null;
  readonly store: AdmissionStore;
  /** `rotation.maxGrace`, in ms. */
  readonly maxGraceMs: number;
  readonly webhooks: Webhooks;
  /** The setting `tokens`. */
  readonly tokenIssuers: readonly TokenIssuer[];
  readonly reportIssuers: () => readonly IssuerReport[];
  /** `portal.plan`: the plan of callers whose issuer has none. */
  readonly defaultPlan: string;
  readonly tokens: readonly AdminToken[];
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
  readonly sessions: ConsoleSessions;
  readonly events: Pick<Events, 'list'>;
  readonly serviceEvents: ServiceEvents;
  readonly serviceWebhooks: ServiceWebhooks;
  /** Null if the files of the console are missing. */
  readonly console: StaticFiles | null;
  /** `admin.url`. */
  readonly publicUrl: URL | null;
  readonly system: System;
  readonly reload: ReloadConfiguration;
  /** URLs of the admin listener and of the public listener. They are known only once the servers listen. */
  readonly listensAt: () => URL;
  readonly publicListensAt: () => string;
  /** Sign-in by OpenID Connect; null if it is not configured. */
  readonly oidc: AdminOidcOptions | null;
  readonly logger: Logger;
}

export interface AdminOidcOptions {
  readonly provider: IdentityProvider;
  readonly roles: OidcRoles;
  /** `admin.url`, which `admin.oidc` requires. */
  readonly publicUrl: URL;
}

const TOO_MANY_ATTEMPTS =
  'Too many attempts with an invalid token from this address. Wait for the time given in Retry-After.';

/** The id of an operation may be its method and path, such as `GET /pets`, so it may contain a slash. */
const ENCODED_SLASHES = new Set(['listCallers', 'listViolations']);

/**
 * Creates the admin API as an Express application.
 *
 * @throws StartError (as a rejection) if the API's document and its handlers do not match
 */
export async function createAdmin(dependencies: AdminAppDependencies): Promise<RequestListener> {
  const { clock, console: consoleFiles, logger, oidc } = dependencies;
  const access = createAccess(dependencies);
  const handlers = createOperations(dependencies, access, () => describedDocument);
  const document = await loadDocument(DOCUMENT_FILE, PREFIX, handlers);
  const describedDocument = withWebhooks(document.value, dependencies.serviceWebhooks);

  const steps = [
    createProbes(dependencies),
    consoleFiles === null ? null : createServeFiles({ files: consoleFiles, path: CONSOLE_PATH, redirects: REDIRECTS }),
    oidc === null ? null : createOidcSignIn(createOidcDependencies(dependencies, access, oidc)),
    // Authentication comes before routing, because paths must reveal nothing to callers without a token.
    createAuthenticate(access, createIsReading(document)),
    createRoute({ document, handlers, nobody: NOBODY, encodedSlashes: ENCODED_SLASHES, clock }),
  ];
  return createApp(steps, { response: 'admin response', failure: 'admin request failed' }, logger);
}

function createIsReading({ routes }: ApiDocument) {
  const matchRoute = createRouter(routes);
  return function isReading(method: string, path: string): boolean {
    const found = matchRoute(method, normalizeEscapes(path));
    return found.kind === 'operation' && found.route.operation.reads;
  };
}

function createAccess(dependencies: AdminAppDependencies): AdminAccessDependencies {
  const { addressLimiter, clientAddress, clock, oidc, publicUrl, sessions } = dependencies;
  const tokens = createTokenList(dependencies.tokens);
  const findRole = createFindRole(tokens, oidc?.roles ?? null);
  const countFailedAttempt = createCountFailedAttempt(addressLimiter, createUnauthorized, TOO_MANY_ATTEMPTS);
  return { tokens, sessions, findRole, countFailedAttempt, publicUrl, clientAddress, clock };
}

function createOidcDependencies(
  { addressLimiter, logger }: AdminAppDependencies,
  access: AdminAccessDependencies,
  { provider, roles, publicUrl }: AdminOidcOptions,
): OidcSignInDependencies {
  const { clientAddress, countFailedAttempt } = access;
  return {
    provider,
    publicUrl,
    paths: { start: OIDC_PATH, callback: CALLBACK_PATH, pages: CONSOLE_PATH },
    flowCookie: 'tollgate-console-oidc',
    async signIn(claims, req) {
      const { setCookie } = await startSession({ ...access, cookie: consoleCookie }, req, toIdentity(claims, roles));
      return { setCookie };
    },
    countFailedAttempt,
    clientAddress,
    addressLimiter,
    logger,
  };
}

function createOperations(
  dependencies: AdminAppDependencies,
  access: AdminAccessDependencies,
  document: () => object,
): AdminOperations {
  const {
    registry,
    store,
    accounts,
    served,
    clock,
    console: consoleFiles,
    publicUrl,
    portalUrl,
    listensAt,
    oidc,
  } = dependencies;
  const consoleUrl = () => (consoleFiles === null ? null : joinUrl(publicUrl ?? listensAt(), CONSOLE_PATH));
  const refuseUnknown = createRefuseUnknown(dependencies);
  const checkRestrictions = createCheckRestrictions(served);
  const checkOwner = createCheckOwner(dependencies.tokenIssuers);
  const reads = selectReads(dependencies);
  const signInMethods = oidc === null ? (['token'] as const) : (['oidc', 'token'] as const);
  return {
    getOpenApi: () => ({ status: 200, body: document() }),
    ...createKeyOperations(registry, store, { ...dependencies, refuseUnknown, checkRestrictions, checkOwner }),
    ...createBulkOperations(registry, store, refuseUnknown, dependencies.tokenIssuers),
    ...createImportOperations(registry, checkRestrictions, checkOwner, clock),
    ...createOwnerOperations(dependencies),
    ...createPlanOperations(registry, checkRestrictions),
    ...createAccountOperations(accounts, refuseUnknown, checkOwner, portalUrl),
    ...createAccountRequestOperations(accounts, checkOwner, portalUrl),
    ...createPlanRequestOperations(accounts, refuseUnknown),
    ...createQuotaOperations(registry, store),
    ...createBanOperations(registry, store, refuseUnknown, clock),
    ...createAuditOperations(registry),
    ...createEventOperations(dependencies.events, dependencies.webhooks.types, refuseUnknown),
    ...createOperationHandlers(served),
    ...createReadingOperations(reads),
    ...createSystemOperations(dependencies),
    ...createTokenOperations(dependencies),
    ...createConfigurationOperations(dependencies.reload, reads),
    ...createSessionOperations({ ...access, signInMethods, consoleUrl }),
    ...createHistoryOperations(dependencies, refuseUnknown),
    ...createPublishOperations(dependencies.serviceEvents),
    ...createWebhookOperations(dependencies.webhooks, refuseUnknown),
    ...createDeliveryOperations(dependencies.webhooks),
  };
}
