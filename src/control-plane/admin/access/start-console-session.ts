import type { IncomingMessage } from 'node:http';
import { isHttps, userAgentOf, consoleCookie } from '../../sessions/browser-session.ts';
import type { AdminAccessDependencies } from './authenticate-operator.ts';
import type { Identity, ConsoleSession } from './console-sessions.ts';

/**
 * Signs a user in. Always creates a new session and ends the one in the request: a cookie that someone else had planted
 * must not become theirs.
 *
 * @returns the session, and the value of its `Set-Cookie`
 */
export async function startSession(
  {
    sessions,
    publicUrl,
    clientAddress,
    clock,
  }: Pick<AdminAccessDependencies, 'sessions' | 'publicUrl' | 'clientAddress' | 'clock'>,
  req: IncomingMessage,
  identity: Identity,
): Promise<{ session: ConsoleSession; cookie: string }> {
  const at = clock();
  const https = isHttps(req, publicUrl);
  const cookie = consoleCookie.name(https);
  const { session, secret } = await sessions.start({
    identity,
    cookie,
    address: clientAddress(req),
    userAgent: userAgentOf(req),
    at,
  });
  const before = consoleCookie.read(req.headers.cookie, https);
  const replaced = before === null ? null : await sessions.find(cookie, before, at);
  if (replaced !== null) {
    const change = { actor: replaced.identity.name, reason: 'signed in again', at };
    await sessions.end(replaced.id, 'session.end', change);
  }
  return { session, cookie: consoleCookie.set(https, secret, session.expiresAt - at) };
}
