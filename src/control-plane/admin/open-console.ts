import type { Logger } from 'pino';
import { isLoopback } from '../../http/addresses.ts';
import type { Clock } from '../../base/time.ts';
import type { OpenIdProviderOptions } from '../sign-in/openid-provider.ts';
import type { OidcRoles } from './access/operator-roles.ts';
import type { ConsoleSessions } from './access/console-sessions.ts';
import { type AdminToken, hashToken } from './access/admin-tokens.ts';
import type { AdminAppDependencies, AdminOidcOptions } from './admin-app.ts';
import { CALLBACK_PATH, CONSOLE_FOLDER, CONSOLE_PATH } from './console-paths.ts';
import { formatLinkUrl } from './resources/sessions.ts';
import { joinUrl } from '../api-server/server.ts';
import { readStaticFiles } from '../api-server/static-files.ts';

/** The dependencies of the admin application that concern the console. */
export type OpenConsole = Pick<AdminAppDependencies, 'console' | 'publicUrl' | 'oidc'>;

interface ConsoleOptions {
  /** `admin.url`. */
  readonly url?: string | undefined;
  readonly oidc?: (OidcRoles & Omit<OpenIdProviderOptions, 'redirectUri' | 'timeoutMs'>) | undefined;
}

const OIDC_TIMEOUT_MS = 5000;

/** Reads the console's files, and prepares sign-in by OpenID Connect. */
export async function openConsole(
  admin: ConsoleOptions,
  logger: Logger,
  folder = CONSOLE_FOLDER,
): Promise<OpenConsole> {
  const console = await readStaticFiles(folder);
  if (console === null)
    logger.warn('the console is not available, because its files are missing: build them with npm run prepare');
  const publicUrl = admin.url === undefined ? null : new URL(admin.url);
  const oidc = admin.oidc === undefined || publicUrl === null ? null : await openOidc(admin.oidc, publicUrl);
  return { console, publicUrl, oidc };
}

async function openOidc(config: NonNullable<ConsoleOptions['oidc']>, publicUrl: URL): Promise<AdminOidcOptions> {
  const { OpenIdProvider } = await import('../sign-in/openid-provider.ts');
  const provider = new OpenIdProvider({
    ...config,
    redirectUri: joinUrl(publicUrl, CALLBACK_PATH),
    timeoutMs: OIDC_TIMEOUT_MS,
  });
  return { provider, roles: config, publicUrl };
}

interface FirstLinkOptions {
  readonly sessions: ConsoleSessions;
  readonly token: AdminToken | undefined;
  /**
   * Address of the admin listener. If it is not a loopback address, no link is created, because others may be able to
   * read it in the log.
   */
  readonly host: string;
  readonly adminUrl: URL;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates a link that signs in to the console once; null if others may be able to read it in the log, or on failure. */
export async function createFirstLink(
  { console, publicUrl }: OpenConsole,
  { sessions, token, host, adminUrl, clock, logger }: FirstLinkOptions,
): Promise<string | null> {
  if (token === undefined || console === null || !isLoopback(host)) return null;
  const change = { actor: 'system', reason: 'first start', at: clock() };
  try {
    const link = await sessions.createLink(token.name, hashToken(token), change);
    return formatLinkUrl(joinUrl(publicUrl ?? adminUrl, CONSOLE_PATH), link.token);
  } catch (error) {
    // The start must not fail here, because the demo key has been created but not shown, and would be lost.
    logger.warn({ err: error }, 'could not create a sign-in link to the console: run tollgate console');
    return null;
  }
}
