import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { AdmissionStore } from '../../data-plane/boundary-types.ts';
import type { ServiceEvents } from '../events/service-events.ts';
import { createApp } from '../api-server/api-app.ts';
import { joinUrl } from '../api-server/server.ts';
import { loadDocument } from '../api-server/api-document.ts';
import { createServeFiles, type StaticFiles } from '../api-server/static-files.ts';
import type { Events } from '../events/events.ts';
import { type IdentityProvider, createOidcSignIn, type OidcSignInDependencies } from '../sign-in/oidc-sign-in.ts';
import { createRoute } from '../api-server/route.ts';
import { createCountFailedAttempt } from '../api-server/failed-attempts.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import { configurationOperations, type ReloadConfiguration, systemOperations } from './resources/system.ts';
import { auditOperations } from './resources/audit.ts';
import { type AdminToken, createTokenList } from './access/admin-tokens.ts';
import {
  type AdminAccessDependencies,
  createAuthenticate,
  NOBODY,
  unauthorized,
} from './access/authenticate-operator.ts';
import { banOperations } from './resources/bans.ts';
import { bulkOperations } from './resources/keys-bulk.ts';
import { eventOperations, publishOperations } from './resources/events.ts';
import { DOCUMENT_FILE, PREFIX, type ServiceWebhooks, withWebhooks } from './resources/admin-document.ts';
import { importOperations } from './resources/keys-import.ts';
import { keyOperations } from './resources/keys.ts';
import { CALLBACK_PATH, CONSOLE_PATH, OIDC_PATH, REDIRECTS } from './console-paths.ts';
import type { AdminOperations } from './resources/admin-handlers.ts';
import { createRefuseUnknown } from './resources/known-values.ts';
import { operationHandlers } from './resources/operations.ts';
import { ownerOperations } from './resources/owners.ts';
import { accountOperations } from './resources/accounts.ts';
import { accountRequestOperations } from './resources/account-requests.ts';
import { planRequestOperations } from './resources/plan-requests.ts';
import { planOperations } from './resources/plans.ts';
import { createCheckRestrictions } from './resources/restrictions.ts';
import { createProbes, type ProbeDependencies } from './resources/probes.ts';
import { createRoleOf, type OidcRoles, toIdentity } from './access/operator-roles.ts';
import type { ConsoleSessions } from './access/console-sessions.ts';
import { consoleCookie } from '../sign-in/browser-session.ts';
import { startSession } from '../sign-in/start-session.ts';
import { sessionOperations } from './resources/sessions.ts';
import type { System } from '../system/system-info.ts';
import { quotaOperations } from './resources/quotas.ts';
import { historyOperations, type HistoryOperationDependencies } from './resources/history.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { deliveryOperations, webhookOperations } from './resources/webhooks.ts';

export interface AdminAppDependencies extends ProbeDependencies, HistoryOperationDependencies {
  /** URL of the portal; null if there is none. */
  readonly portalUrl: () => string | null;
  readonly store: AdmissionStore;
  /** `rotation.maxGrace`, in ms. */
  readonly maxGraceMs: number;
  readonly webhooks: Webhooks;
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
const ENCODED_SLASHES = new Set(['listCallers']);

/**
 * Creates the admin API as an Express application.
 *
 * @throws StartError (as a rejection) if the API's document and its handlers do not match
 */
export async function createAdmin(settings: AdminAppDependencies): Promise<RequestListener> {
  const { clock, console, logger, oidc } = settings;
  const access = createAccess(settings);
  const handlers = allOperations(settings, access, () => described);
  const document = await loadDocument(DOCUMENT_FILE, PREFIX, handlers);
  const described = withWebhooks(document.value, settings.serviceWebhooks);

  const steps = [
    createProbes(settings),
    console === null ? null : createServeFiles({ files: console, path: CONSOLE_PATH, redirects: REDIRECTS }),
    oidc === null ? null : createOidcSignIn(oidcSettings(settings, access, oidc)),
    // Authentication comes before routing, because paths must reveal nothing to callers without a token.
    createAuthenticate(access),
    createRoute({ document, handlers, nobody: NOBODY, encodedSlashes: ENCODED_SLASHES, clock }),
  ];
  return createApp(steps, { response: 'admin response', failure: 'admin request failed' }, logger);
}

function createAccess(settings: AdminAppDependencies): AdminAccessDependencies {
  const { addressLimiter, clientAddress, clock, oidc, publicUrl, sessions } = settings;
  const tokens = createTokenList(settings.tokens);
  const roleOf = createRoleOf(tokens, oidc?.roles ?? null);
  const countFailedAttempt = createCountFailedAttempt(addressLimiter, unauthorized, TOO_MANY_ATTEMPTS);
  return { tokens, sessions, roleOf, countFailedAttempt, publicUrl, clientAddress, clock };
}

function oidcSettings(
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

function allOperations(
  settings: AdminAppDependencies,
  access: AdminAccessDependencies,
  document: () => object,
): AdminOperations {
  const { registry, store, accounts, served, clock, console, publicUrl, portalUrl, listensAt, oidc } = settings;
  const consoleUrl = () => (console === null ? null : joinUrl(publicUrl ?? listensAt(), CONSOLE_PATH));
  const refuseUnknown = createRefuseUnknown(settings);
  const checkRestrictions = createCheckRestrictions(served);
  const signInMethods = oidc === null ? (['token'] as const) : (['oidc', 'token'] as const);
  return {
    getOpenApi: () => ({ status: 200, body: document() }),
    ...keyOperations(registry, store, { ...settings, refuseUnknown, checkRestrictions }),
    ...bulkOperations(registry, store, refuseUnknown),
    ...importOperations(registry, checkRestrictions, clock),
    ...ownerOperations(settings),
    ...planOperations(registry, settings.history, checkRestrictions, clock),
    ...accountOperations(accounts, refuseUnknown, portalUrl),
    ...accountRequestOperations(accounts, portalUrl),
    ...planRequestOperations(accounts, refuseUnknown),
    ...quotaOperations(registry, store),
    ...banOperations(registry, store, refuseUnknown, clock),
    ...auditOperations(registry),
    ...eventOperations(settings.events, settings.webhooks.types, refuseUnknown),
    ...operationHandlers(served),
    ...systemOperations(settings),
    ...configurationOperations(settings.reload),
    ...sessionOperations({ ...access, signInMethods, consoleUrl }),
    ...historyOperations(settings, refuseUnknown),
    ...publishOperations(settings.serviceEvents),
    ...webhookOperations(settings.webhooks, refuseUnknown),
    ...deliveryOperations(settings.webhooks),
  };
}
