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
import { toProviderIdentity, isNew, oidcAccount } from './access/oidc-account.ts';
import { portalCookie } from '../sign-in/browser-session.ts';
import { startSession } from '../sign-in/start-session.ts';
import { DOCUMENT_FILE, PREFIX } from './portal-document.ts';
import type { PortalOperations, Schemas } from './resources/portal-handlers.ts';
import { CALLBACK_PATH, OIDC_PATH, PAGES_PATH, WELCOME_PAGE } from './portal-paths.ts';
import { apiCatalog } from './front/api-catalog.ts';
import { createMarkdownPages, markdownAddress } from './front/markdown-pages.ts';
import { createOfferedPlans } from './front/offered-plans.ts';
import { createServeMachineFiles } from './front/serve-machine-files.ts';
import { documentedContact, type Outline, createOutline, type ServiceSource } from './front/outline.ts';
import type { Guides } from './front/guides.ts';
import type { TeamPages } from './front/team-pages.ts';
import { createPageHeads } from './front/page-heads.ts';
import { createServePages } from './front/serve-pages.ts';
import { accountOperations } from './resources/account.ts';
import { accountRequestOperations } from './resources/account-requests.ts';
import { changeOperations } from './resources/changes.ts';
import { callLimits, type CallLimitSettings } from './resources/call-limits.ts';
import { frontOperations } from './resources/front.ts';
import { historyOperations, type OwnHistoryDependencies } from './resources/history.ts';
import { keyOperations, type OwnKeyDependencies } from './resources/keys.ts';
import { guidesInForce } from './resources/limits-in-force.ts';
import { planOperations, type OwnPlanDependencies } from './resources/plans.ts';
import { referenceOperations, type ReferenceDependencies } from './resources/reference.ts';
import { sessionOperations, signInOperations } from './resources/sessions.ts';
import { type PlanRequestDependencies, planRequestOperations } from './resources/plan-requests.ts';
import { type TryDependencies, tryOperations } from './resources/try.ts';
import { siteOperations, type SiteDependencies } from './resources/site.ts';
import { quotaOperations } from './resources/quotas.ts';
import { consumerEventTypes, webhookOperations } from './resources/webhooks.ts';

export interface PortalAppDependencies
  extends
    ApiListenerOptions,
    Omit<OwnHistoryDependencies, keyof CallerLimits>,
    OwnKeyDependencies,
    Omit<OwnPlanDependencies, 'outline'>,
    ReferenceDependencies,
    Omit<TryDependencies, keyof CallerLimits>,
    Pick<PlanRequestDependencies, 'accounts'>,
    Pick<SiteDependencies, 'look' | 'apiUrl'>,
    Pick<PortalAccessDependencies, 'publicUrl'> {
  readonly front: FrontTerms;
  readonly callLimits: Pick<CallLimitSettings, 'bans' | 'edge' | 'upstreams' | 'rotation'>;
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

type OfferedPlans = ReturnType<typeof createOfferedPlans>;

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
export async function createPortal(asBuilt: PortalAppDependencies): Promise<RequestListener> {
  const limits = callLimits({ ...asBuilt, ...asBuilt.callLimits });
  const settings = { ...asBuilt, guides: guidesInForce(asBuilt.guides, limits), limits };
  const { clock, files, logger, oidc } = settings;
  const access = createAccess(settings);
  const outline = await createOutline(settings.publicDocument, settings.services);
  const offeredPlans = createOfferedPlans({ ...settings, plan: settings.signUp.plan });
  const shown = { outline, offeredPlans };
  const handlers = allOperations(settings, shown, access, () => document.value);
  const document = await loadDocument(DOCUMENT_FILE, PREFIX, handlers);
  const steps = [
    createMachineFiles(settings, outline, offeredPlans),
    createPages(settings, outline),
    files === null ? null : createServeFiles({ files, path: PAGES_PATH, redirects: {} }),
    oidc === null ? null : createOidcSignIn(oidcSettings(settings, access, oidc)),
    // Authentication comes before routing, so that callers without a session cannot find out which paths exist.
    createAuthenticate(access, {
      isPublic: settings.front.isPublic,
      takesRequests: settings.signUp.policy === 'request',
    }),
    createRoute({ document, handlers, nobody: NOBODY, clock }),
  ];
  return createApp(steps, { response: 'portal response', failure: 'portal request failed' }, logger);
}

/** Serves the files for programs; null if the portal is not public. */
function createMachineFiles(
  settings: PortalAppDependencies,
  outline: Outline,
  offeredPlans: OfferedPlans,
): Handler | null {
  const { front, look, guides, teamPages, webhooks, apiUrl, publicUrl, listensAt } = settings;
  if (!front.isPublic) return null;
  const { description } = front;
  const contact = front.contact ?? documentedContact(outline);
  const eventTypes = () => consumerEventTypes(webhooks);
  const about = {
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
  const catalog = () => apiCatalog(apiUrl(), joinUrl(publicUrl ?? listensAt(), PAGES_PATH));
  return createServeMachineFiles({ pages: createMarkdownPages(about), catalog });
}

function createPages(settings: PortalAppDependencies, outline: Outline): Handler | null {
  const { files, guides, teamPages, look, front, webhooks } = settings;
  const index = files?.get('');
  if (index === undefined) return null;
  const eventTypes = () => consumerEventTypes(webhooks);
  const { isPublic, description } = front;
  const headOf = isPublic ? createPageHeads({ outline, description, guides, teamPages, eventTypes }) : null;
  return createServePages({ index, siteTitle: look.title, headOf, markdownOf: markdownAddress });
}

function createAccess(settings: PortalAppDependencies): PortalAccessDependencies {
  const { accounts, addressLimiter, clientAddress, clock, publicUrl } = settings;
  const refusal = () => new Refused('sign_in_needed');
  const countFailedAttempt = createCountFailedAttempt(addressLimiter, refusal, TOO_MANY_ATTEMPTS);
  const { limitRequests } = settings.callerLimits;
  return { accounts, addressLimiter, countFailedAttempt, limitRequests, publicUrl, clientAddress, clock };
}

function oidcSettings(
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
      const account = await oidcAccount(accounts, toProviderIdentity(claims, issuer), signUp, clock());
      const user = { method: 'oidc', accountId: account.id } as const;
      const started = await startSession({ ...access, sessions: accounts.sessions, cookie: portalCookie }, req, user);
      if (started === null) throw new SignInFailed('not_allowed', 'the account was disabled just now');
      return { setCookie: started.setCookie, page: isNew(account) ? WELCOME_PAGE : undefined };
    },
    addressLimiter,
    clientAddress,
    countFailedAttempt,
    logger,
  };
}

function allOperations(
  settings: PortalAppDependencies & { readonly limits: Schemas['CallLimits'] },
  { outline, offeredPlans }: { readonly outline: Outline; readonly offeredPlans: OfferedPlans },
  access: PortalAccessDependencies,
  document: () => object,
): PortalOperations {
  const { accounts, registry, store, webhooks, signUp, oidc, front, callerLimits } = settings;
  const eventTypes = () => consumerEventTypes(webhooks);
  const contact = front.contact ?? (front.isPublic ? documentedContact(outline) : null);
  return {
    getPortalOpenApi: () => ({ status: 200, body: document() }),
    ...siteOperations({
      ...settings,
      signUp: signUp.policy,
      hasOidc: oidc !== null,
      isPublic: front.isPublic,
      contact,
    }),
    ...frontOperations({ ...settings, ...front, outline, offeredPlans, eventTypes }),
    ...accountRequestOperations({ ...access, ...callerLimits, isOpen: signUp.policy === 'request', offeredPlans }),
    ...signInOperations({ ...access, registry }),
    ...sessionOperations(access),
    ...accountOperations(accounts),
    ...keyOperations(settings),
    ...quotaOperations(registry, store),
    ...historyOperations({ ...settings, ...callerLimits }),
    ...changeOperations(settings),
    ...planOperations({ ...settings, outline }),
    ...planRequestOperations(settings),
    ...referenceOperations(settings, outline),
    ...tryOperations({ ...settings, ...callerLimits }),
    ...webhookOperations(webhooks, callerLimits),
  };
}
