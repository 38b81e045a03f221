import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SignUp } from '../accounts/account.ts';
import { joinUrl } from '../api-server/server.ts';
import { readStaticFiles } from '../api-server/static-files.ts';
import type { OpenIdProviderOptions } from '../sign-in/openid-provider.ts';
import { createCallerLimits } from './access/caller-limits.ts';
import type { RequestsPerMinute } from './access/caller-limits.ts';
import { readGuides } from './front/guides.ts';
import { describePages } from './front/team-pages.ts';
import { createPortal, type PortalOidcOptions, type PortalAppDependencies } from './portal-app.ts';
import { CALLBACK_PATH, GUIDES_FILE, PORTAL_FOLDER } from './portal-paths.ts';
import { createMakeCall, type MakeCallDependencies } from './try/make-call.ts';

/** The dependencies of the portal that are created outside of it, such as stores and parts of the request path. */
type PortalParts = Omit<
  PortalAppDependencies,
  | 'files'
  | 'guides'
  | 'teamPages'
  | 'look'
  | 'publicUrl'
  | 'oidc'
  | 'makeCall'
  | 'apiUrl'
  | 'signUp'
  | 'requestablePlans'
  | 'maxKeys'
  | 'front'
  | 'callerLimits'
>;

/** Settings that a reload may change. */
interface PortalTerms {
  readonly signUp: SignUp['policy'];
  readonly plan: string;
  readonly requestablePlans: readonly string[];
  readonly maxKeys: number;
  readonly public: boolean;
  readonly description?: string | undefined;
  readonly contact?: string | undefined;
  readonly pages: Parameters<typeof describePages>[0];
}

export interface OpenPortal {
  readonly look: PortalAppDependencies['look'];
  /** Whether the files of the pages exist. */
  readonly hasPages: boolean;
  /** Creates the portal for one configuration. @param callDependencies the dependencies of calls from “Try it” */
  create(parts: PortalParts, terms: PortalTerms, callDependencies: MakeCallDependencies): Promise<RequestListener>;
}

export interface PortalOptions {
  /** `portal.url`. */
  readonly url?: string | undefined;
  readonly title: string;
  /** A `data:` URL; null if there is no logo. */
  readonly logo: string | null;
  readonly accent?: string | undefined;
  readonly oidc?: Omit<OpenIdProviderOptions, 'claim' | 'redirectUri' | 'timeoutMs'> | undefined;
}

/** Replacements for tests. */
export interface PortalForTests {
  /** The folder of the portal's files. */
  readonly folder?: string | undefined;
  readonly requestsPerMinute?: RequestsPerMinute | undefined;
}

const OIDC_TIMEOUT_MS = 5000;

/** Reads the portal's files, and prepares sign-in by OpenID Connect. */
export async function openPortal(
  portal: PortalOptions,
  logger: Logger,
  { folder = PORTAL_FOLDER, requestsPerMinute }: PortalForTests = {},
): Promise<OpenPortal> {
  const files = await readStaticFiles(folder);
  const guides = await readGuides(join(folder, GUIDES_FILE));
  if (files === null)
    logger.warn('the portal has no pages, because their files are missing: build them with npm run prepare');
  const publicUrl = portal.url === undefined ? null : new URL(portal.url);
  const oidc = portal.oidc === undefined || publicUrl === null ? null : await openOidc(portal.oidc, publicUrl);
  const { title, logo, accent = null } = portal;
  const look = { title, logo, accent };
  const callerLimits = createCallerLimits(requestsPerMinute);
  return {
    look,
    hasPages: files !== null,
    create(parts, { signUp: policy, plan, requestablePlans, maxKeys, pages, ...front }, callDependencies) {
      const { apiUrl } = callDependencies;
      const { public: isPublic, description = null, contact = null } = front;
      const terms = { signUp: { policy, plan }, requestablePlans, maxKeys };
      return createPortal({
        ...parts,
        ...terms,
        callerLimits,
        front: { isPublic, description, contact },
        files,
        guides,
        teamPages: describePages(pages),
        look,
        publicUrl,
        oidc,
        apiUrl,
        makeCall: createMakeCall(callDependencies),
      });
    },
  };
}

async function openOidc(settings: NonNullable<PortalOptions['oidc']>, publicUrl: URL): Promise<PortalOidcOptions> {
  const { OpenIdProvider } = await import('../sign-in/openid-provider.ts');
  const provider = new OpenIdProvider({
    ...settings,
    // The first sign-in finds the account by the email address.
    claim: 'email',
    redirectUri: joinUrl(publicUrl, CALLBACK_PATH),
    timeoutMs: OIDC_TIMEOUT_MS,
  });
  return { provider, issuer: settings.issuer, publicUrl };
}
