import type { IncomingMessage } from 'node:http';
import type { AccountSession, PortalUser, SignedIn } from '../../accounts/account-sessions.ts';
import { Refused } from '../../api-server/refused.ts';
import { checkSignIn, isHttps, portalCookie } from '../../sign-in/browser-session.ts';
import { isAllowedFrom } from '../../../http/addresses.ts';
import { findCredentialFault } from '../../../domain/credential.ts';
import { hashSecret, isWellFormed } from '../../../domain/key-format.ts';
import type { Registry } from '../../registry/registry.ts';
import type { PortalAccessDependencies } from '../access/access-dependencies.ts';
import { startSession } from '../../sign-in/start-session.ts';
import type { operations } from '../openapi/portal-types.ts';
import { requireAccount, requireSession } from '../access/caller.ts';
import { toDateTime } from '../../../base/time.ts';
import { toAccountJson } from './account.ts';
import { toKeyJson } from './portal-key-json.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';

interface SignInDependencies extends PortalAccessDependencies {
  readonly registry: Registry;
}

type SignInBody = operations['portalSignIn']['body'];

/** Operations to sign in with a link or an API key. Failed attempts are limited by address. */
export function createSignInOperations(
  dependencies: SignInDependencies,
): Pick<PortalOperations, 'previewSignInLink' | 'portalSignIn'> {
  const { accounts, registry, addressLimiter, countFailedAttempt, limitRequests, publicUrl, clientAddress, clock } =
    dependencies;

  async function refuseAfterTooMany(request: IncomingMessage): Promise<void> {
    const address = clientAddress(request);
    if ((await addressLimiter.peek(address)).remaining === 0) throw await countFailedAttempt(address);
  }

  const countFailed = (request: IncomingMessage, refusal: Refused) =>
    countFailedAttempt(clientAddress(request), refusal);

  async function identifyByLink(token: string): Promise<PortalUser> {
    const account = await accounts.spendLink(token, clock());
    if (account === null) throw new Refused('link_invalid');
    return { method: 'link', accountId: account.id };
  }

  async function identifyByKey(secret: string, address: string): Promise<PortalUser> {
    const credential = isWellFormed(secret) ? await registry.findCredential(hashSecret(secret), 'secret') : null;
    if (credential === null) throw new Refused('key_invalid');
    // The key's address restriction also applies to the portal, so that a leaked key cannot be used from elsewhere.
    if (credential.addresses !== null && !isAllowedFrom(credential.addresses, address))
      throw new Refused('address_not_allowed');
    const fault = findCredentialFault(credential, clock);
    if (fault !== null) throw new Refused(fault);
    await limitRequests({ callerId: credential.keyId, session: credential.keyId, kind: 'change' });
    return { method: 'key', keyId: credential.keyId };
  }

  async function signIn(request: IncomingMessage, body: SignInBody) {
    const user =
      body.token === undefined
        ? await identifyByKey(body.key ?? '', clientAddress(request))
        : await identifyByLink(body.token);
    // The result is null if the account was disabled, or the key revoked, after the check.
    const startedSession = await startSession(
      { ...dependencies, sessions: accounts.sessions, cookie: portalCookie },
      request,
      user,
    );
    if (startedSession === null) throw new Refused(user.method === 'key' ? 'key_revoked' : 'link_invalid');
    return startedSession;
  }

  return {
    async previewSignInLink({ body: { token }, request }) {
      checkSignIn(request, publicUrl);
      await refuseAfterTooMany(request);
      const account = await accounts.readLink(token, clock());
      if (account === null) throw await countFailed(request, new Refused('link_invalid'));
      return { status: 200, body: { name: account.name } };
    },

    async portalSignIn({ body, request }) {
      checkSignIn(request, publicUrl);
      await refuseAfterTooMany(request);
      let startedSession: { signedIn: SignedIn; setCookie: string };
      try {
        startedSession = await signIn(request, body);
      } catch (error) {
        const isGuess = error instanceof Refused && error.code !== 'rate_limit_exceeded';
        throw isGuess ? await countFailed(request, error) : error;
      }
      return {
        status: 201,
        body: toWhoamiJson(startedSession.signedIn),
        headers: { 'Set-Cookie': startedSession.setCookie },
      };
    },
  };
}

export function createSessionOperations({
  accounts,
  publicUrl,
  clock,
}: Pick<PortalAccessDependencies, 'accounts' | 'publicUrl' | 'clock'>): Pick<
  PortalOperations,
  'getPortalSession' | 'portalSignOut' | 'listPortalSessions' | 'endPortalSession'
> {
  const { sessions } = accounts;

  return {
    getPortalSession: ({ caller }) => ({ status: 200, body: toWhoamiJson(requireSession(caller)) }),

    async portalSignOut({ caller, request, change }) {
      await sessions.end(requireSession(caller).session.id, change);
      return { status: 204, headers: { 'Set-Cookie': portalCookie.clear(isHttps(request, publicUrl)) } };
    },

    async listPortalSessions({ caller }) {
      const activeSessions = await sessions.listByAccount(requireAccount(caller).id, clock());
      return {
        status: 200,
        body: { items: activeSessions.map((session) => toSessionJson(session, requireSession(caller).session)) },
      };
    },

    async endPortalSession({ path: { id }, caller, change }) {
      const activeSessions = await sessions.listByAccount(requireAccount(caller).id, clock());
      const isOwn = activeSessions.some((session) => session.id === id);
      if (!isOwn || !(await sessions.end(id, change))) throw new Refused('session_not_found');
      return { status: 204 };
    },
  };
}

function toWhoamiJson({ account, key, session }: SignedIn): Schemas['Whoami'] {
  return {
    account: account && toAccountJson(account),
    key: key && toKeyJson(key),
    session: toSessionJson(session, session),
  };
}

/** @param currentSession the session of the request */
function toSessionJson(session: AccountSession, currentSession: AccountSession): Schemas['Session'] {
  const { id, user, address, userAgent, ...times } = session;
  return {
    id,
    method: user.method,
    address,
    userAgent,
    createdAt: toDateTime(times.createdAt),
    lastSeenAt: toDateTime(times.seenAt),
    expiresAt: toDateTime(times.expiresAt),
    current: id === currentSession.id,
  };
}
