import type { IncomingMessage } from 'node:http';
import type { SessionOf, SignedIn } from '../../accounts/account-sessions.ts';
import { isHttps, userAgentOf, portalCookie } from '../../sessions/browser-session.ts';
import type { PortalAccessDependencies } from './access-dependencies.ts';
import { callerOf } from './caller.ts';

/**
 * Signs somebody in. The session is always a new one, and the one that the request came with ends: a cookie that
 * somebody else had put there must not become theirs.
 *
 * @returns who is signed in, and the value of its `Set-Cookie`; null if the account or key is not active any more
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
