import type { Logger } from 'pino';
import type { AdminSettings, OidcSettings } from './admin/app.ts';
import type { AdminToken } from './admin/access/admin-token.ts';
import { tokenHash } from './admin/access/token-list.ts';
import { CONSOLE_FOLDER, readConsoleFiles } from './admin/console/console-files.ts';
import { at, CALLBACK_PATH, CONSOLE_PATH } from './admin/paths.ts';
import { linkUrl } from './admin/resources/sessions.ts';
import type { Sessions } from './admin/sessions/sessions.ts';
import type { Clock } from './admission/store.ts';
import { StoreUnavailable } from './base/store-unavailable.ts';
import type { Config } from './config/load.ts';

const OIDC_TIMEOUT_MS = 5000;

/** Reads the console's files, and prepares for people who sign in with their own accounts. */
export async function openConsole(
  { admin }: Config,
  logger: Logger,
  folder = CONSOLE_FOLDER,
): Promise<Pick<AdminSettings, 'console' | 'publicUrl' | 'oidc'>> {
  const console = await readConsoleFiles(folder);
  if (console === null) logger.warn('there is no console, because its files are missing: make them with npm run build');
  const publicUrl = admin.url === undefined ? null : new URL(admin.url);
  const oidc = admin.oidc === undefined || publicUrl === null ? null : await openOidc(admin.oidc, publicUrl);
  return { console, publicUrl, oidc };
}

async function openOidc(settings: NonNullable<Config['admin']['oidc']>, publicUrl: URL): Promise<OidcSettings> {
  const { OpenIdProvider } = await import('./admin/oidc/openid-provider.ts');
  const provider = new OpenIdProvider({
    ...settings,
    redirectUri: at(publicUrl, CALLBACK_PATH),
    timeoutMs: OIDC_TIMEOUT_MS,
  });
  return { provider, roles: settings, publicUrl };
}

interface FirstLinkSettings {
  readonly sessions: Sessions;
  /** The admin token. */
  readonly token: AdminToken;
  /** Where people reach the admin listener. */
  readonly url: URL;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** A link into the console, which signs in once; null if the database does not take it now. */
export async function createFirstLink(settings: FirstLinkSettings): Promise<string | null> {
  const { sessions, token, url, logger, clock } = settings;
  const change = { actor: 'system', reason: 'first start', at: clock() };
  try {
    const link = await sessions.createLink(token.name, tokenHash(token), change);
    return linkUrl(at(url, CONSOLE_PATH), link.token);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    logger.warn(`no link into the console was made (${error.message}): tollgate console makes one`);
    return null;
  }
}
