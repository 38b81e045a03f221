import type { IncomingMessage } from 'node:http';
import type { SignedIn } from '../../accounts/account-sessions.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Handler } from '../../api-server/send-response.ts';
import { isHttps, requireSameOrigin, portalCookie } from '../../sign-in/browser-session.ts';
import type { PortalAccessDependencies } from './access-dependencies.ts';
import type { CountedRequest } from './caller-limits.ts';
import { toCaller, type PortalCaller } from './caller.ts';

const READ_METHODS = new Set(['GET', 'HEAD']);
/** Requests that need no session. They are matched exactly: any other spelling of a path needs one. */
const SIGN_IN_REQUESTS = new Set(['POST /api/session', 'POST /api/session/preview', 'GET /api/site', 'HEAD /api/site']);
const ACCOUNT_REQUEST = 'POST /api/account-requests';
/** Matches requests that need no session if the portal is public. Their paths contain no escaped characters. */
const PUBLIC_REQUEST = /^(?:GET|HEAD) \/api\/public(?:\/[\w-]+){1,2}$/;
/** Requests that the session of a key may also make, because they change nothing in an account. */
const KEY_SESSION_REQUESTS = new Set(['DELETE /api/session', 'POST /api/try']);
/** Requests that end somebody's access. They may be urgent, so the daily limit of changes does not apply to them. */
const ENDS_ACCESS = /^(?:POST \/api\/keys\/\w+\/revoke|DELETE \/api\/sessions\/\w+)$/;

function classifyRequest(method: string, methodAndPath: string): CountedRequest['kind'] {
  if (READ_METHODS.has(method) || KEY_SESSION_REQUESTS.has(methodAndPath)) return 'read';
  return ENDS_ACCESS.test(methodAndPath) ? 'ending' : 'change';
}

/**
 * Admits only requests with a session. It runs before routing, so that no spelling of a path bypasses it, and
 * unauthenticated callers cannot distinguish paths.
 *
 * @param isPublic `portal.public`
 * @param acceptsAccountRequests whether `portal.signUp` is `request`
 */
export function createAuthenticate(
  dependencies: Pick<PortalAccessDependencies, 'accounts' | 'limitRequests' | 'publicUrl' | 'clock'>,
  { isPublic, acceptsAccountRequests }: { readonly isPublic: boolean; readonly acceptsAccountRequests: boolean },
) {
  const { accounts, limitRequests, publicUrl, clock } = dependencies;

  const authenticate: Handler<PortalCaller> = async (req, res, next) => {
    const methodAndPath = `${req.method} ${req.originalUrl.split('?', 1)[0] ?? ''}`;
    // The session is ignored here, so that the response is the same for everybody and caches may store it.
    if (SIGN_IN_REQUESTS.has(methodAndPath) || (isPublic && PUBLIC_REQUEST.test(methodAndPath))) return next();
    if (acceptsAccountRequests && methodAndPath === ACCOUNT_REQUEST) return next();
    const signedIn = await identify(req);
    res.locals.caller = toCaller(signedIn);
    const kind = classifyRequest(req.method, methodAndPath);
    if (signedIn.account === null && kind !== 'read') throw new Refused('account_needed');
    const { id: callerId } = signedIn.account ?? signedIn.key;
    const { id: session } = signedIn.account === null ? signedIn.key : signedIn.session;
    await limitRequests({ callerId, session, kind });
    if (kind === 'change') await accounts.checkChanges(callerId, clock());
    next();
  };
  return authenticate;

  async function identify(req: IncomingMessage): Promise<SignedIn> {
    const https = isHttps(req, publicUrl);
    const secret = portalCookie.read(req.headers.cookie, https);
    if (secret === null) throw new Refused('sign_in_needed');
    if (!READ_METHODS.has(req.method ?? '')) requireSameOrigin(req, publicUrl);
    const signedIn = await accounts.sessions.find(portalCookie.getName(https), secret, clock());
    if (signedIn !== null) return signedIn;
    const headers = { 'Set-Cookie': portalCookie.clear(https) };
    throw new Refused('sign_in_needed', { message: 'The session has ended: sign in again.', headers });
  }
}
