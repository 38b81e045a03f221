import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/time.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import type { SignIn, StartedSession } from '../sessions/session-store.ts';
import { type HostCookie, isHttps, type PublicUrl, readUserAgent } from './browser-session.ts';

interface StartSessionDependencies<User, Started extends StartedSession<User> | null> {
  readonly sessions: {
    start(signIn: SignIn<User>): Promise<Started>;
    /** Ends the session of a cookie, if there is one, because the browser has signed in again. */
    endReplacedSession(cookie: string, secret: string, at: number): Promise<void>;
  };
  readonly cookie: HostCookie;
  readonly publicUrl: PublicUrl;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

/**
 * Signs a user in. Always creates a new session and ends the session that the request came with: somebody else may have
 * planted its cookie in the browser, and could then act as the user.
 *
 * @returns the session, and the value of its `Set-Cookie`; null if `sessions` has started none
 */
export async function startSession<User, Started extends StartedSession<User> | null>(
  { sessions, cookie, publicUrl, clientAddress, clock }: StartSessionDependencies<User, Started>,
  req: IncomingMessage,
  user: User,
): Promise<(NonNullable<Started> & { readonly setCookie: string }) | Extract<Started, null>> {
  const at = clock();
  const https = isHttps(req, publicUrl);
  const name = cookie.getName(https);
  const address = clientAddress(req);
  const startedSession = await sessions.start({ user, cookie: name, address, userAgent: readUserAgent(req), at });
  if (startedSession === null) return null as Extract<Started, null>;
  const replacedSecret = cookie.read(req.headers.cookie, https);
  if (replacedSecret !== null) await sessions.endReplacedSession(name, replacedSecret, at);
  return {
    ...startedSession,
    setCookie: cookie.set(https, startedSession.secret, startedSession.session.expiresAt - at),
  };
}
