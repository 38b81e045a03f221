import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { AdmissionStore } from '../../data-plane/boundary-types.ts';
import type { SignUp } from '../accounts/account.ts';
import { createApp } from '../api-server/api-app.ts';
import { loadDocument } from '../api-server/api-document.ts';
import { createServeFiles, type StaticFiles } from '../api-server/static-files.ts';
import { Refused } from '../api-server/refused.ts';
import type { Handler } from '../api-server/send-response.ts';
import {
  type IdentityProvider,
  SignInFailed,
  createOidcSignIn,
  type OidcSignInDependencies,
} from '../sign-in/oidc-sign-in.ts';
import { createRoute } from '../api-server/route.ts';
import { createCountFailedAttempt } from '../api-server/failed-attempts.ts';
import { type ApiListenerOptions, joinUrl } from '../api-server/server.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { PortalAccessDependencies } from './access/access-dependencies.ts';
import { createAuthenticate } from './access/authenticate-portal-user.ts';
import { NOBODY } from './access/caller.ts';
import type { CallerLimits } from './access/caller-limits.ts';
import { toProviderIdentity, isNewAccount, findOidcAccount } from './access/oidc-account.ts';
import { portalCookie } from '../sign-in/browser-session.ts';
import { startSession } from '../sign-in/start-session.ts';
import { DOCUMENT_FILE, API_PATH_PREFIX } from './portal-document.ts';
import type { PortalOperations, Schemas } from './resources/portal-handlers.ts';
import { CALLBACK_PATH, OIDC_PATH, PAGES_PATH, WELCOME_PAGE } from './portal-paths.ts';
import { formatApiCatalog } from './front/api-catalog.ts';
import { createMarkdownPages, getMarkdownAddress } from './front/markdown-pages.ts';
import { createLoadOfferedPlans } from './front/offered-plans.ts';
import { createServeMachineFiles } from './front/serve-machine-files.ts';
import { findContact, type Outline, createOutline, type ServiceSource } from './front/outline.ts';
import type { Guides } from './front/guides.ts';
import type { TeamPages } from './front/team-pages.ts';
import { createPageHeadFactory } from './front/page-heads.ts';
import { createServePages } from './front/serve-pages.ts';
import { createAccountOperations } from './resources/account.ts';
import { createAccountRequestOperations } from './resources/account-requests.ts';
import { createChangeOperations } from './resources/changes.ts';
import { toCallLimits, type CallLimitConfig } from './resources/call-limits.ts';
import { createFrontOperations } from './resources/front.ts';
import { createHistoryOperations, type OwnHistoryDependencies } from './resources/history.ts';
import { createViolationOperations, type OwnViolationDependencies } from './resources/violations.ts';
import { createKeyOperations, type OwnKeyDependencies } from './resources/keys.ts';
import { fillInLimits } from './resources/limits-in-force.ts';
import { createPlanOperations, type OwnPlanDependencies } from './resources/plans.ts';
import { createReferenceOperations, type ReferenceDependencies } from './resources/reference.ts';
import { createSessionOperations, createSignInOperations } from './resources/sessions.ts';
import { type PlanRequestDependencies, createPlanRequestOperations } from './resources/plan-requests.ts';
import { type TryDependencies, createTryOperations } from './resources/try.ts';
import { createSiteOperations, type SiteDependencies } from './resources/site.ts';
import { createQuotaOperations } from './resources/quotas.ts';
import { listConsumerEventTypes, createWebhookOperations } from './resources/webhooks.ts';

export interface PortalAppDependencies
  extends
    ApiListenerOptions,
    Omit<OwnHistoryDependencies, keyof CallerLimits>,
    Omit<OwnViolationDependencies, keyof CallerLimits>,
    OwnKeyDependencies,
    Omit<OwnPlanDependencies, 'outline'>,
    ReferenceDependencies,
    Omit<TryDependencies, keyof CallerLimits>,
    Pick<PlanRequestDependencies, 'accounts'>,
    Pick<SiteDependencies, 'look' | 'apiUrl'>,
    Pick<PortalAccessDependencies, 'publicUrl'> {
  readonly front: FrontTerms;
  readonly callLimits: Pick<CallLimitConfig, 'bans' | 'edge' | 'upstreams' | 'rotation'>;
  /** The services behind the API. */
  readonly services: readonly ServiceSource[];
  readonly store: AdmissionStore;
  readonly webhooks: Webhooks;
  readonly signUp: SignUp;
  /** Null if the files are missing. */
  readonly files: StaticFiles | null;
  /** The guides of the documentation, with the default limits. */
  readonly guides: Guides;
  readonly teamPages: TeamPages;
  readonly callerLimits: CallerLimits;
  /** Sign-in by OpenID Connect; null if it is not configured. */
  readonly oidc: PortalOidcOptions | null;
  readonly logger: Logger;
}

type OfferedPlans = ReturnType<typeof createLoadOfferedPlans>;

/** The configuration of the pages that need no session. */
interface FrontTerms {
  /** `portal.public`. */
  readonly isPublic: boolean;
  /** `portal.description`. */
  readonly description: string | null;
  /** `portal.contact`. */
  readonly contact: string | null;
}

export interface PortalOidcOptions {
  readonly provider: IdentityProvider;
  readonly issuer: string;
  /** `portal.url`, which `portal.oidc` requires. */
  readonly publicUrl: URL;
}

const TOO_MANY_ATTEMPTS = 'Too many sign-in attempts from this address. Wait for the time given in Retry-After.';

/**
 * Creates the portal as an Express application. In the portal, consumers of the API manage their own keys and usage.
 *
 * @throws StartError (as a rejection) if the API's document and its handlers do not match
 */
export async function createPortal(dependencies: PortalAppDependencies): Promise<RequestListener> {
  const limits = toCallLimits({ ...dependencies, ...dependencies.callLimits });
  const portalDependencies = { ...dependencies, guides: fillInLimits(dependencies.guides, limits), limits };
  const { clock, files, logger, oidc } = portalDependencies;
  const access = createAccess(portalDependencies);
  const outline = await createOutline(portalDependencies.publicDocument, portalDependencies.services);
  const offeredPlans = createLoadOfferedPlans({ ...portalDependencies, plan: portalDependencies.signUp.plan });
  const pageContents = { outline, offeredPlans };
  const handlers = createOperations(portalDependencies, pageContents, access, () => document.value);
  const document = await loadDocument(DOCUMENT_FILE, API_PATH_PREFIX, handlers);
  const steps = [
    createMachineFiles(portalDependencies, outline, offeredPlans),
    createPages(portalDependencies, outline),
    files === null ? null : createServeFiles({ files, path: PAGES_PATH, redirects: {} }),
    oidc === null ? null : createOidcSignIn(createOidcDependencies(portalDependencies, access, oidc)),
    // Authentication comes before routing, so that callers without a session cannot find out which paths exist.
    createAuthenticate(access, {
      isPublic: portalDependencies.front.isPublic,
      acceptsAccountRequests: portalDependencies.signUp.policy === 'request',
    }),
    createRoute({ document, handlers, nobody: NOBODY, clock }),
  ];
  return createApp(steps, { response: 'portal response', failure: 'portal request failed' }, logger);
}

/** Serves the files for programs; null if the portal is not public. */
function createMachineFiles(
  dependencies: PortalAppDependencies,
  outline: Outline,
  offeredPlans: OfferedPlans,
): Handler | null {
  const { front, look, guides, teamPages, webhooks, apiUrl, publicUrl, listensAt } = dependencies;
  if (!front.isPublic) return null;
  const { description } = front;
  const contact = front.contact ?? findContact(outline);
  const eventTypes = () => listConsumerEventTypes(webhooks);
  const pagesDependencies = {
    siteTitle: look.title,
    description,
    contact,
    outline,
    guides,
    teamPages,
    eventTypes,
    offeredPlans,
    apiUrl,
  };
  const catalog = () => formatApiCatalog(apiUrl(), joinUrl(publicUrl ?? listensAt(), PAGES_PATH));
  return createServeMachineFiles({ pages: createMarkdownPages(pagesDependencies), catalog });
}

function createPages(dependencies: PortalAppDependencies, outline: Outline): Handler | null {
  const { files, guides, teamPages, look, front, webhooks } = dependencies;
  const index = files?.get('');
  if (index === undefined) return null;
  const eventTypes = () => listConsumerEventTypes(webhooks);
  const { isPublic, description } = front;
  const createHead = isPublic ? createPageHeadFactory({ outline, description, guides, teamPages, eventTypes }) : null;
  return createServePages({ index, siteTitle: look.title, createHead, getMarkdownAddress });
}

function createAccess(dependencies: PortalAppDependencies): PortalAccessDependencies {
  const { accounts, addressLimiter, clientAddress, clock, publicUrl } = dependencies;
  const refusal = () => new Refused('sign_in_needed');
  const countFailedAttempt = createCountFailedAttempt(addressLimiter, refusal, TOO_MANY_ATTEMPTS);
  const { limitRequests } = dependencies.callerLimits;
  return { accounts, addressLimiter, countFailedAttempt, limitRequests, publicUrl, clientAddress, clock };
}

function createOidcDependencies(
  { signUp, logger }: PortalAppDependencies,
  access: PortalAccessDependencies,
  { provider, issuer, publicUrl }: PortalOidcOptions,
): OidcSignInDependencies {
  const { accounts, addressLimiter, clientAddress, countFailedAttempt, clock } = access;
  return {
    provider,
    publicUrl,
    paths: { start: OIDC_PATH, callback: CALLBACK_PATH, pages: PAGES_PATH },
    flowCookie: 'tollgate-portal-oidc',
    async signIn(claims, req) {
      const account = await findOidcAccount(accounts, toProviderIdentity(claims, issuer), signUp, clock());
      const user = { method: 'oidc', accountId: account.id } as const;
      const started = await startSession({ ...access, sessions: accounts.sessions, cookie: portalCookie }, req, user);
      if (started === null) throw new SignInFailed('not_allowed', 'the account was disabled just now');
      return { setCookie: started.setCookie, page: isNewAccount(account) ? WELCOME_PAGE : undefined };
    },
    addressLimiter,
    clientAddress,
    countFailedAttempt,
    logger,
  };
}

function createOperations(
  dependencies: PortalAppDependencies & { readonly limits: Schemas['CallLimits'] },
  { outline, offeredPlans }: { readonly outline: Outline; readonly offeredPlans: OfferedPlans },
  access: PortalAccessDependencies,
  document: () => object,
): PortalOperations {
  const { accounts, registry, store, webhooks, signUp, oidc, front, callerLimits } = dependencies;
  const eventTypes = () => listConsumerEventTypes(webhooks);
  const contact = front.contact ?? (front.isPublic ? findContact(outline) : null);
  return {
    getPortalOpenApi: () => ({ status: 200, body: document() }),
    ...createSiteOperations({
      ...dependencies,
      signUp: signUp.policy,
      hasOidc: oidc !== null,
      isPublic: front.isPublic,
      contact,
    }),
    ...createFrontOperations({ ...dependencies, ...front, outline, offeredPlans, eventTypes }),
    ...createAccountRequestOperations({
      ...access,
      ...callerLimits,
      isOpen: signUp.policy === 'request',
      offeredPlans,
    }),
    ...createSignInOperations({ ...access, registry }),
    ...createSessionOperations(access),
    ...createAccountOperations(accounts),
    ...createKeyOperations(dependencies),
    ...createQuotaOperations(registry, store),
    ...createHistoryOperations({ ...dependencies, ...callerLimits }),
    ...createViolationOperations({ ...dependencies, ...callerLimits }),
    ...createChangeOperations(dependencies),
    ...createPlanOperations({ ...dependencies, outline }),
    ...createPlanRequestOperations(dependencies),
    ...createReferenceOperations(dependencies, outline),
    ...createTryOperations({ ...dependencies, ...callerLimits }),
    ...createWebhookOperations(webhooks, callerLimits),
  };
}
