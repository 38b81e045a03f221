import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import { readLogo } from '../../config/logo.ts';
import { at } from '../api/at.ts';
import { readStaticFiles } from '../api/files/static-files.ts';
import type { OidcSettings, PortalSettings } from './app.ts';
import { CALLBACK_PATH, PORTAL_FOLDER } from './paths.ts';

/** What the portal is made of besides the storage. */
export type OpenPortal = Pick<PortalSettings, 'files' | 'look' | 'publicUrl' | 'oidc'>;

const OIDC_TIMEOUT_MS = 5000;

/**
 * Reads the portal's files, and prepares for people who sign in with their own accounts.
 *
 * @returns null if the portal is not enabled
 * @throws StartError if the logo cannot be used
 */
export async function openPortal(
  { portal }: Config,
  logger: Logger,
  folder = PORTAL_FOLDER,
): Promise<OpenPortal | null> {
  if (!portal.enabled) return null;
  const files = await readStaticFiles(folder);
  if (files === null) logger.warn('the portal has no pages, because they are missing: make them with npm run prepare');
  const publicUrl = portal.url === undefined ? null : new URL(portal.url);
  const oidc = portal.oidc === undefined || publicUrl === null ? null : await openOidc(portal.oidc, publicUrl);
  const logo = portal.logo === undefined ? null : readLogo(portal.logo);
  return { files, look: { title: portal.title, logo, accent: portal.accent ?? null }, publicUrl, oidc };
}

async function openOidc(settings: NonNullable<Config['portal']['oidc']>, publicUrl: URL): Promise<OidcSettings> {
  const { OpenIdProvider } = await import('../api/oidc/openid-provider.ts');
  const provider = new OpenIdProvider({
    ...settings,
    // An address finds the account that has it.
    claim: 'email',
    redirectUri: at(publicUrl, CALLBACK_PATH),
    timeoutMs: OIDC_TIMEOUT_MS,
  });
  return { provider, issuer: settings.issuer, publicUrl };
}
