import type { Logger } from 'pino';
import { findKeyById } from '../registry/key-rows.ts';
import { findAccountBy, formatAccountLock, recordSignIn } from './account-rows.ts';
import type { Account } from './account.ts';
import { appendAudit, type ChangeContext, createAuditEntry } from '../registry/audit-log.ts';
import { checkSignIns } from '../registry/daily-limits.ts';
import type { Key } from '../registry/key.ts';
import {
  type Session,
  SessionStore,
  type SessionTable,
  type SignIn,
  type StartedSession,
} from '../sessions/session-store.ts';
import type { Database } from '../../storage/database.ts';
import type { Queries, Tx, PortalSessionRow } from '../../storage/tables.ts';

/**
 * The user of a session: an account or the holder of a key. The holder may view data and try the API, but may not change
 * anything.
 */
export type PortalUser =
  { readonly method: 'link' | 'oidc'; readonly accountId: string } | { readonly method: 'key'; readonly keyId: string };

export type AccountSession = Session<PortalUser>;

/** The active account or key of a session's user. */
type ActiveUser = { readonly account: Account; readonly key: null } | { readonly account: null; readonly key: Key };

/** A session with its current account or key. */
export type SignedIn = { readonly session: AccountSession } & ActiveUser;

/** The sessions of the portal. Each change is written together with its audit entry. */
export class AccountSessions {
  readonly #database: Database;
  readonly #store: SessionStore<PortalUser, PortalSessionRow>;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#store = new SessionStore(database, logger, PORTAL_SESSION_TABLE);
  }

  /**
   * Refused with `rate_limit_exceeded` if the account or key has signed in too often within 24 hours.
   *
   * @returns null if the account or key does not exist or is not active
   */
  async start(
    signIn: SignIn<PortalUser>,
  ): Promise<(StartedSession<PortalUser> & { readonly signedIn: SignedIn }) | null> {
    const { user, address, userAgent, at } = signIn;
    const { method } = user;
    return this.#database.transaction(async (tx) => {
      await this.#lock(tx, user);
      const active = await findActive(tx, user, at);
      if (active === null) return null;
      await checkSignIns(tx, getUserId(user), at);
      const started = await this.#store.insert(tx, signIn);
      if (user.method !== 'key') await recordSignIn(tx, user.accountId, at);
      const { id: session, expiresAt } = started.session;
      const after = { session, method, address, userAgent, expiresAt };
      const change = { actor: getUserId(user), reason: null, at };
      await appendAudit(tx, [createAuditEntry(change, `${getUserKind(user)}.sign_in`, getUserId(user), { after })]);
      return { ...started, signedIn: { session: started.session, ...active } };
    });
  }

  /** Finds the session of a cookie; null if it has ended, or if its account or key is no longer active. */
  find(cookie: string, secret: string, now: number): Promise<SignedIn | null> {
    return this.#store.find<SignedIn>(cookie, secret, now, async (queries, session) => {
      const active = await findActive(queries, session.user, now);
      return active === null ? null : { session, ...active };
    });
  }

  /** Lists the sessions of an account, newest first. */
  listByAccount(accountId: string, now: number): Promise<AccountSession[]> {
    return this.#store.list(now, { method: 'link', accountId });
  }

  /** Ends a session. @returns false if there is no session with this id */
  async end(id: string, change: ChangeContext): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const session = await this.#store.delete(tx, id);
      if (session === null) return false;
      const { user } = session;
      const before = { session: id, method: user.method };
      await appendAudit(tx, [createAuditEntry(change, `${getUserKind(user)}.sign_out`, getUserId(user), { before })]);
      return true;
    });
  }

  async endReplacedSession(cookie: string, secret: string, at: number): Promise<void> {
    const replaced = await this.find(cookie, secret, at);
    if (replaced === null) return;
    const { id, user } = replaced.session;
    await this.end(id, { actor: getUserId(user), reason: 'signed in again', at });
  }

  /** Takes the same lock that disabling an account takes, so that a sign-in waits until the account is disabled. */
  #lock(tx: Tx, user: PortalUser): Promise<void> {
    const name = user.method === 'key' ? `key-sessions:${user.keyId}` : formatAccountLock(user.accountId);
    return this.#database.dialect.lock(tx, name);
  }
}

async function findActive(queries: Queries, user: PortalUser, at: number): Promise<ActiveUser | null> {
  if (user.method !== 'key') {
    const account = await findAccountBy(queries, 'id', user.accountId);
    return account?.status === 'active' ? { account, key: null } : null;
  }
  const key = await findKeyById(queries, user.keyId);
  if (key?.status !== 'active' || (key.expiresAt !== null && key.expiresAt <= at)) return null;
  return { account: null, key };
}

function getUserId(user: PortalUser): string {
  return user.method === 'key' ? user.keyId : user.accountId;
}

function getUserKind({ method }: PortalUser): 'key' | 'account' {
  return method === 'key' ? 'key' : 'account';
}

const PORTAL_SESSION_TABLE: SessionTable<PortalUser, PortalSessionRow> = {
  name: 'portal_sessions',
  useFailureMessage: 'could not record the use of a portal session',
  idColumn: ({ method }) => (method === 'key' ? 'key_id' : 'account_id'),

  toColumns(user) {
    const { method } = user;
    if (method === 'key') return { method, account_id: null, key_id: user.keyId };
    return { method, account_id: user.accountId, key_id: null };
  },

  toUser({ method, account_id: accountId, key_id: keyId }) {
    if (method === 'key') return { method, keyId: keyId ?? '' };
    return { method: method === 'oidc' ? 'oidc' : 'link', accountId: accountId ?? '' };
  },
};
