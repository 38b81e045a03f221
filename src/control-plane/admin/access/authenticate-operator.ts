import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../base/time.ts';
import type { AdminToken, TokenList } from './admin-tokens.ts';
import type { FindRole } from './operator-roles.ts';
import type { CountFailedAttempt } from '../../api-server/failed-attempts.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Handler } from '../../api-server/send-response.ts';
import { isHttps, type PublicUrl, requireSameOrigin, consoleCookie } from '../../sign-in/browser-session.ts';
import type { ConsoleSessions, ConsoleSession } from './console-sessions.ts';
import type { ClientAddress } from '../../../http/addresses.ts';

export interface AdminAccessDependencies {
  readonly tokens: TokenList;
  readonly sessions: ConsoleSessions;
  readonly findRole: FindRole;
  readonly countFailedAttempt: CountFailedAttempt;
  readonly publicUrl: PublicUrl;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

const BEARER_TOKEN = /^Bearer +(\S+)$/i;
const READ_METHODS = new Set(['GET', 'HEAD']);
/** Requests that need no token or session. They are matched exactly: any other spelling of a path needs one. */
const SIGN_IN_REQUESTS = new Set(['POST /v1/session', 'GET /v1/session/methods']);
/** The only change that a viewer may make. */
const SIGN_OUT_REQUEST = 'DELETE /v1/session';
/** The only request that a publisher may make. */
const PUBLISH_REQUEST = 'POST /v1/events';
const PUBLISHER_MESSAGE = 'This token can only publish events.';

/**
 * Admits only requests with a valid token or session. It runs before routing, so that no spelling of a path bypasses
 * it, and unauthenticated callers cannot distinguish paths.
 *
 * Failed attempts are limited by address, but a valid token is always accepted. A request without a token is not a
 * guess, so it does not count as a failed attempt.
 *
 * @param isReading finds out whether a request changes nothing, although its method is neither GET nor HEAD
 */
export function createAuthenticate(
  dependencies: AdminAccessDependencies,
  isReading: (method: string, path: string) => boolean,
): Handler<Caller> {
  const { tokens, sessions, findRole, countFailedAttempt, publicUrl, clientAddress, clock } = dependencies;

  return async function authenticate(req, res, next) {
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    const methodAndPath = `${req.method} ${path}`;
    const isSignIn = SIGN_IN_REQUESTS.has(methodAndPath);
    const caller = isSignIn ? null : await identify(req);
    if (caller !== null) res.locals.caller = caller;
    const role = caller?.role ?? findToken(req)?.role;
    if (role === 'publisher' && methodAndPath !== PUBLISH_REQUEST)
      throw new Refused('forbidden', { message: PUBLISHER_MESSAGE });
    const mayView = READ_METHODS.has(req.method) || methodAndPath === SIGN_OUT_REQUEST || isReading(req.method, path);
    if (caller?.role === 'viewer' && !mayView) throw new Refused('forbidden');
    next();
  };

  function findToken({ headers }: IncomingMessage): AdminToken | undefined {
    const secret = BEARER_TOKEN.exec(headers.authorization ?? '')?.[1];
    return secret === undefined ? undefined : tokens.find(secret);
  }

  function identify(req: IncomingMessage): Promise<Caller> {
    const { authorization, cookie } = req.headers;
    const https = isHttps(req, publicUrl);
    const secret = consoleCookie.read(cookie, https);
    const hasToken = BEARER_TOKEN.test(authorization ?? '');
    // Behind a proxy with Basic authentication, browsers send the proxy's credentials in `Authorization`. So the header
    // is ignored unless it has a bearer token.
    if (!hasToken && secret !== null) return identifyBySession(req, secret, https);
    if (authorization === undefined) throw createUnauthorized();
    return identifyByToken(req);
  }

  async function identifyByToken(req: IncomingMessage): Promise<Caller> {
    const token = findToken(req);
    if (token === undefined) throw await countFailedAttempt(clientAddress(req));
    return { name: token.name, role: token.role, token, session: null };
  }

  async function identifyBySession(req: IncomingMessage, secret: string, https: boolean): Promise<Caller> {
    if (!READ_METHODS.has(req.method ?? '')) requireSameOrigin(req, publicUrl);
    const session = await sessions.find(consoleCookie.getName(https), secret, clock());
    const role = session === null ? undefined : findRole(session.user);
    if (session !== null && role !== undefined) return { name: session.user.name, role, token: null, session };
    throw createUnauthorized('The session has ended: sign in again.', { 'Set-Cookie': consoleCookie.clear(https) });
  }
}

type Role = AdminToken['role'];

/** A caller of the admin API, identified by a token or a session. */
export interface Caller {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
  readonly role: Role;
  readonly token: AdminToken | null;
  readonly session: ConsoleSession | null;
}

/** The caller of requests that need no token or session. */
export const NOBODY: Caller = { name: '', role: 'viewer', token: null, session: null };

export function createUnauthorized(message?: string, headers: Refused['headers'] = {}): Refused {
  const challenge = { 'WWW-Authenticate': 'Bearer realm="tollgate-admin"' };
  return new Refused('unauthorized', {
    ...(message === undefined ? {} : { message }),
    headers: { ...challenge, ...headers },
  });
}
