import type { IncomingMessage } from 'node:http';
import type { SessionOf, SignedIn } from '../../accounts/account-sessions.ts';
import { isHttps, userAgentOf, portalCookie } from '../../sessions/browser-session.ts';
import type { PortalAccessDependencies } from './access-dependencies.ts';
import { callerOf } from './caller.ts';

/**
 * Signs a user in. Always creates a new session and ends the one in the request: a cookie that someone else had planted
 * must not become theirs.
 *
 * @returns the session, and the value of its `Set-Cookie`; null if the account or key is no longer active
 */
export async function startSession(
  {
    accounts,
    publicUrl,
    clientAddress,
    clock,
  }: Pick<PortalAccessDependencies, 'accounts' | 'publicUrl' | 'clientAddress' | 'clock'>,
  req: IncomingMessage,
  of: SessionOf,
): Promise<{ signedIn: SignedIn; cookie: string } | null> {
  const { sessions } = accounts;
  const at = clock();
  const https = isHttps(req, publicUrl);
  const cookie = portalCookie.name(https);
  const started = await sessions.start({ of, cookie, address: clientAddress(req), userAgent: userAgentOf(req), at });
  if (started === null) return null;
  const before = portalCookie.read(req.headers.cookie, https);
  const replaced = before === null ? null : await sessions.find(cookie, before, at);
  if (replaced !== null) {
    const change = { actor: callerOf(replaced).name, reason: 'signed in again', at };
    await sessions.end(replaced.session.id, change);
  }
  const { signedIn, secret } = started;
  return { signedIn, cookie: portalCookie.set(https, secret, signedIn.session.expiresAt - at) };
}
