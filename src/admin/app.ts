import type { RequestListener } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import type { AdmissionStore } from '../admission/store.ts';
import { requestIdFrom } from '../pipeline/steps/request-id.ts';
import type { AddressLimiter } from '../pipeline/caller/address-limiter.ts';
import type { ClientAddress } from '../pipeline/caller/client-address.ts';
import { withoutKeys } from '../registry/keys/redact-keys.ts';
import { auditOperations } from './resources/audit/audit.ts';
import type { AdminToken } from './access/admin-token.ts';
import { type AccessSettings, createAuthenticate } from './access/authenticate.ts';
import { createFailedAttempt } from './access/failed-attempts.ts';
import { createTokenList } from './access/token-list.ts';
import type { ConsoleFiles } from './console/console-files.ts';
import { createServeConsole } from './console/serve-console.ts';
import { banOperations } from './resources/bans.ts';
import { loadDocument } from './document.ts';
import { importOperations } from './resources/import-keys.ts';
import { keyOperations } from './resources/keys.ts';
import { createOidcSignIn } from './oidc/sign-in.ts';
import { at, CONSOLE_PATH } from './paths.ts';
import type { IdentityProvider } from './oidc/identity-provider.ts';
import type { AdminOperations } from './operation.ts';
import { operationOperations } from './resources/operations.ts';
import { ownerOperations } from './resources/owners.ts';
import { type AccountSettings, allAccountOperations } from './resources/accounts/index.ts';
import { planOperations } from './resources/plans.ts';
import { createProbes, type ProbesSettings } from './probes.ts';
import { createErrors, type Handler } from './http/respond.ts';
import { createRoute } from './route.ts';
import { createRoleOf, type OidcRoles } from './sessions/roles.ts';
import type { Sessions } from './sessions/sessions.ts';
import { sessionOperations } from './resources/sessions.ts';
import type { System } from '../system/system.ts';
import { systemOperations } from './resources/system/system.ts';
import { usageOperations } from './resources/usage.ts';
import { historyOperations, type HistorySettings } from './resources/history/index.ts';

export interface AdminSettings extends ProbesSettings, HistorySettings, AccountSettings {
  readonly store: AdmissionStore;
  readonly tokens: readonly AdminToken[];
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
  readonly sessions: Sessions;
  /** Null if its files are missing. */
  readonly console: ConsoleFiles | null;
  /** `admin.url`. */
  readonly publicUrl: URL | null;
  readonly system: System;
  /** Where the listeners are, once they listen: this one, and that of consumers. */
  readonly listensAt: () => URL;
  readonly publicListensAt: () => string;
  /** Null unless people sign in with their own accounts. */
  readonly oidc: OidcSettings | null;
  readonly logger: Logger;
}

export interface OidcSettings {
  readonly provider: IdentityProvider;
  readonly roles: OidcRoles;
  /** `admin.url`, which goes with it. */
  readonly publicUrl: URL;
}

/**
 * The admin API, which operators call, as one Express application.
 *
 * @throws StartError if the API's document and its handlers do not match
 */
export function createAdmin(settings: AdminSettings): RequestListener {
  const { addressLimiter, clock, console, logger, oidc } = settings;
  const access = accessOf(settings);
  const handlers = allOperations(settings, access, () => document.value);
  const document = loadDocument(handlers);

  const app = express();
  app.disable('x-powered-by');
  app.use(createBegin(logger));
  app.use(createProbes(settings));
  if (console !== null) app.use(createServeConsole(console));
  if (oidc !== null) app.use(createOidcSignIn({ ...access, ...oidc, addressLimiter, logger }));
  // Before routing: paths must reveal nothing to callers without a token.
  app.use(createAuthenticate(access));
  app.use(createRoute(document, handlers, clock));
  app.use(createErrors(logger));

  return function admin(req, res) {
    // Express would answer by itself, without asking for a token, if it could not parse the target. So it gets `/`; our
    // route reads `originalUrl`.
    Object.assign(req, { originalUrl: req.url, url: '/' });
    (app as unknown as RequestListener)(req, res);
  };
}

function accessOf(settings: AdminSettings): AccessSettings {
  const { addressLimiter, clientAddress, clock, oidc, publicUrl, sessions } = settings;
  const tokens = createTokenList(settings.tokens);
  const roleOf = createRoleOf(tokens, oidc?.roles ?? null);
  const failedAttempt = createFailedAttempt(addressLimiter, clock);
  return { tokens, sessions, roleOf, failedAttempt, publicUrl, clientAddress, clock };
}

function allOperations(settings: AdminSettings, access: AccessSettings, document: () => object): AdminOperations {
  const { registry, store, served, clock, console, publicUrl, listensAt, oidc } = settings;
  const consoleUrl = () => (console === null ? null : at(publicUrl ?? listensAt(), CONSOLE_PATH));
  const signInMethods = oidc === null ? (['token'] as const) : (['oidc', 'token'] as const);
  return {
    getOpenApi: () => ({ status: 200, body: document() }),
    ...keyOperations(registry, store, clock),
    ...importOperations(registry, clock),
    ...ownerOperations(registry),
    ...planOperations(registry),
    ...allAccountOperations(settings),
    ...usageOperations(registry, store),
    ...banOperations(registry, store),
    ...auditOperations(registry),
    ...operationOperations(served),
    ...systemOperations(settings),
    ...sessionOperations({ ...access, signInMethods, consoleUrl }),
    ...historyOperations(settings),
  };
}

/** Writes one log line per response, even if it is cut off. It leaves out query and headers, which may hold secrets. */
function createBegin(logger: Logger): Handler {
  return function begin(req, res, next) {
    const startedAt = performance.now();
    const { locals } = res;
    locals.requestId = requestIdFrom(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', locals.requestId);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    res.once('close', () => {
      const { requestId, caller, operationId: operation, refusal: reason } = locals;
      const path = operation === undefined ? withoutKeys(req.originalUrl.split('?', 1)[0] ?? '') : undefined;
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const aborted = res.writableFinished ? undefined : true;
      const line = { requestId, actor: caller?.name, method: req.method, operation, path };
      const outcome = { status: res.statusCode, durationMs, reason, aborted };
      const level = locals.isRoutine === true ? 'debug' : res.statusCode >= 500 ? 'error' : 'info';
      logger[level]({ ...line, ...outcome }, 'admin response');
    });
    next();
  };
}
