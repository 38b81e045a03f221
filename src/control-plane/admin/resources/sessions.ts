import type { AdminAccessDependencies } from '../access/authenticate-operator.ts';
import { hashToken } from '../access/admin-tokens.ts';
import { toDateTime } from '../../../base/time.ts';
import { paginate } from '../../api-server/send-response.ts';
import { Refused } from '../../api-server/refused.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { checkSignIn, isHttps, consoleCookie } from '../../sign-in/browser-session.ts';
import type { Identity, ConsoleSession } from '../access/console-sessions.ts';
import { startSession } from '../../sign-in/start-session.ts';

interface SessionOperationDependencies extends AdminAccessDependencies {
  /** The ways to sign in, in the order in which they should be offered. */
  readonly signInMethods: readonly ('token' | 'oidc')[];
  /** URL of the console; null if its files are missing. */
  readonly consoleUrl: () => string | null;
}

const PUBLISHER_MESSAGE = 'A token of the role publisher cannot sign in. It can only publish events.';
const NO_CONSOLE_MESSAGE = 'The files of the console are missing. Build them with npm run prepare.';

export function createSessionOperations(
  dependencies: SessionOperationDependencies,
): Pick<
  AdminOperations,
  'signIn' | 'getSignInMethods' | 'getSession' | 'signOut' | 'createSignInLink' | 'listSessions' | 'revokeSession'
> {
  const { tokens, sessions, findRole, countFailedAttempt, publicUrl, clientAddress, clock } = dependencies;

  /** Identifies the caller by a configured token, or by the token of a link, which this spends. */
  async function findIdentity(secret: string): Promise<Identity | null> {
    const token = tokens.find(secret);
    if (token?.role === 'publisher') throw new Refused('forbidden', { message: PUBLISHER_MESSAGE });
    if (token !== undefined) return { method: 'token', name: token.name, tokenHash: hashToken(token) };
    return sessions.spendLink(secret, clock());
  }

  return {
    async signIn({ body: { token }, request }) {
      checkSignIn(request, publicUrl);
      const identity = await findIdentity(token);
      const role = identity === null ? undefined : findRole(identity);
      if (identity === null || role === undefined) throw await countFailedAttempt(clientAddress(request));
      const { session, setCookie } = await startSession({ ...dependencies, cookie: consoleCookie }, request, identity);
      return { status: 201, body: toIdentityJson(identity.name, role, session), headers: { 'Set-Cookie': setCookie } };
    },

    getSignInMethods: () => ({ status: 200, body: { methods: dependencies.signInMethods } }),

    getSession({ caller: { name, role, session } }) {
      if (role === 'publisher') throw new Refused('forbidden');
      return { status: 200, body: toIdentityJson(name, role, session) };
    },

    async signOut({ caller: { session }, request, change }) {
      if (session === null) return { status: 204 };
      await sessions.end(session.id, 'session.end', change);
      return { status: 204, headers: { 'Set-Cookie': consoleCookie.clear(isHttps(request, publicUrl)) } };
    },

    async createSignInLink({ caller: { token }, change }) {
      // A session must not create a link: whoever stole the session could use the link to stay signed in after its end.
      if (token === null)
        throw new Refused('forbidden', { message: 'Creating a sign-in link requires a token, not a session.' });
      const url = dependencies.consoleUrl();
      if (url === null) throw new Refused('route_not_found', { message: NO_CONSOLE_MESSAGE });
      const link = await sessions.createLink(token.name, hashToken(token), change);
      return { status: 201, body: { url: formatLinkUrl(url, link.token), expiresAt: toDateTime(link.expiresAt) } };
    },

    async listSessions({ query, caller }) {
      const activeSessions = (await sessions.list(clock())).flatMap((session) => {
        const role = findRole(session.user);
        return role === undefined ? [] : [{ session, role }];
      });
      const { items, nextCursor } = paginate(
        'sessions',
        activeSessions,
        ({ session }) => createSortKey(session),
        query,
      );
      const body = items.map(({ session, role }) => toSessionJson(session, role, caller.session));
      return { status: 200, body: { items: body, nextCursor } };
    },

    async revokeSession({ path: { id }, change }) {
      if (!(await sessions.end(id, 'session.revoke', change))) throw new Refused('session_not_found');
      return { status: 204 };
    },
  };
}

/**
 * Creates the URL of a sign-in link. The token is in the fragment, which browsers do not send, so that it does not appear
 * in logs.
 */
export function formatLinkUrl(consoleUrl: string, token: string): string {
  return `${consoleUrl}#token=${token}`;
}

function toIdentityJson(name: string, role: Schemas['Role'], session: ConsoleSession | null): Schemas['Identity'] {
  return { name, role, session: session === null ? null : toSessionJson(session, role, session) };
}

function toSessionJson(
  session: ConsoleSession,
  role: Schemas['Role'],
  currentSession: ConsoleSession | null,
): Schemas['Session'] {
  const { id, user, address, userAgent, createdAt, seenAt, expiresAt } = session;
  return {
    id,
    name: user.name,
    role,
    method: user.method,
    address,
    userAgent,
    createdAt: toDateTime(createdAt),
    lastSeenAt: toDateTime(seenAt),
    expiresAt: toDateTime(expiresAt),
    current: id === currentSession?.id,
  };
}

/** A key that sorts sessions newest first. */
function createSortKey({ createdAt, id }: ConsoleSession): string {
  return `${String(Number.MAX_SAFE_INTEGER - createdAt).padStart(16, '0')} ${id}`;
}
