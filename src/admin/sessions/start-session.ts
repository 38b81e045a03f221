import type { IncomingMessage } from 'node:http';
import { userAgentOf } from '../../http-api/sessions/user-agent.ts';
import type { AccessSettings } from '../access/authenticate.ts';
import { consoleCookie } from './console-cookie.ts';
import type { Identity, Session } from './session.ts';

/**
 * Signs somebody in. The session is always a new one, and the one that the request came with ends: a cookie that
 * somebody else had put there must not become theirs.
 *
 * @returns the session, and the value of its `Set-Cookie`
 */
export async function startSession(
  { sessions, clientAddress, clock }: Pick<AccessSettings, 'sessions' | 'clientAddress' | 'clock'>,
  req: IncomingMessage,
  identity: Identity,
  secure: boolean,
): Promise<{ session: Session; cookie: string }> {
  const at = clock();
  const { session, secret } = await sessions.start({
    identity,
    cookie: consoleCookie.name(secure),
    address: clientAddress(req),
    userAgent: userAgentOf(req),
    at,
  });
  const before = consoleCookie.read(req.headers.cookie);
  const replaced = before === null ? null : await sessions.find(before.name, before.secret, at);
  if (replaced !== null) {
    const change = { actor: replaced.identity.name, reason: 'signed in again', at };
    await sessions.end(replaced.id, 'session.end', change);
  }
  return { session, cookie: consoleCookie.set(secure, secret, session.expiresAt - at) };
}
