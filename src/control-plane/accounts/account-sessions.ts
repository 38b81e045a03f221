import type { Logger } from 'pino';
import { keyById } from '../registry/key-rows.ts';
import { accountBy, accountLock, noteSignIn } from './account-rows.ts';
import { hashForUse, isSecret, newSecret, newSessionId } from '../../base/secrets.ts';
import type { Account } from './account.ts';
import { appendAudit, type ChangeContext, entryOf } from '../registry/audit-log.ts';
import { checkSignIns } from '../registry/daily-limits.ts';
import type { Key } from '../registry/key.ts';
import { LIFETIME_MS, MAX_SESSIONS, SEEN_PRECISION_MS, IDLE_MS } from '../sessions/session-limits.ts';
import { BackgroundWrites } from '../../storage/background-writes.ts';
import type { Database } from '../../storage/database.ts';
import type { Queries, Tx, PortalSessionRow } from '../../storage/tables.ts';

/**
 * The sessions of the portal, shared by all gateways of an installation. Only hashes of the secrets are stored. Each
 * change is written together with its audit entry.
 *
 * While the database is unavailable, calls are rejected with `StoreUnavailable`.
 */
export class AccountSessions {
  readonly #database: Database;
  readonly #uses: BackgroundWrites;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#uses = new BackgroundWrites(logger, 'could not record the use of a portal session');
  }

  /**
   * Refused with `rate_limit_exceeded` if the account or key has signed in too often within 24 hours.
   *
   * @returns the session, and the secret for its cookie, which is not stored; null if the account or key does not exist
   *   or is not active
   */
  async start({ of, cookie, address, userAgent, at }: PortalSignIn) {
    const secret = newSecret();
    const times = { createdAt: at, seenAt: at, expiresAt: at + LIFETIME_MS[of.method] };
    const session: AccountSession = { id: newSessionId(), of, address, userAgent, ...times };
    const after = { session: session.id, method: of.method, address, userAgent, expiresAt: times.expiresAt };
    const entry = entryOf({ actor: idOf(of), reason: null, at }, `${kindOf(of)}.sign_in`, idOf(of), { after });
    const signedIn = await this.#database.transaction(async (tx) => {
      await this.#lock(tx, of);
      const found = await stillActive(tx, session, at);
      if (found === null) return null;
      await checkSignIns(tx, idOf(of), at);
      await deleteExpired(tx, at);
      await deleteAllBut(tx, of, MAX_SESSIONS - 1);
      await insertSession(tx, session, hashForUse(cookie, secret));
      if (of.method !== 'key') await noteSignIn(tx, of.accountId, at);
      await appendAudit(tx, [entry]);
      return found;
    });
    return signedIn === null ? null : { signedIn, secret };
  }

  /** Null if the session has ended, or its account or key is no longer active. */
  async find(cookie: string, secret: string, now: number): Promise<SignedIn | null> {
    if (!isSecret(secret)) return null;
    const signedIn = await this.#database.lookUp(async (queries) => {
      const session = await sessionByHash(queries, hashForUse(cookie, secret), now);
      return session === null ? null : stillActive(queries, session, now);
    });
    if (signedIn !== null && now - signedIn.session.seenAt >= SEEN_PRECISION_MS) {
      const { id } = signedIn.session;
      this.#uses.start(id, () => this.#database.transaction((tx) => touchSession(tx, id, now)));
    }
    return signedIn;
  }

  /** Newest first. */
  listOf(accountId: string, now: number): Promise<AccountSession[]> {
    return this.#database.read((queries) => sessionsOfAccount(queries, accountId, now));
  }

  /** @returns false if there is none with this id */
  async end(id: string, change: ChangeContext): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const session = await deleteSession(tx, id);
      if (session === null) return false;
      const before = { session: id, method: session.of.method };
      await appendAudit(tx, [entryOf(change, `${kindOf(session.of)}.sign_out`, idOf(session.of), { before })]);
      return true;
    });
  }

  /** Nobody signs in to an account while it is being disabled. */
  #lock(tx: Tx, of: SessionOf): Promise<void> {
    return this.#database.dialect.lock(
      tx,
      of.method === 'key' ? `key-sessions:${of.keyId}` : accountLock(of.accountId),
    );
  }
}

async function stillActive(queries: Queries, session: AccountSession, now: number): Promise<SignedIn | null> {
  if (session.of.method !== 'key') {
    const account = await accountBy(queries, 'id', session.of.accountId);
    return account?.status === 'active' ? { session, account, key: null } : null;
  }
  const key = await keyById(queries, session.of.keyId);
  if (key?.status !== 'active' || (key.expiresAt !== null && key.expiresAt <= now)) return null;
  return { session, account: null, key };
}

function idOf(of: SessionOf): string {
  return of.method === 'key' ? of.keyId : of.accountId;
}

function kindOf({ method }: SessionOf): 'key' | 'account' {
  return method === 'key' ? 'key' : 'account';
}

/** The user of a session: an account, or the holder of a key, who may view and try but change nothing. */
export type SessionOf =
  { readonly method: 'link' | 'oidc'; readonly accountId: string } | { readonly method: 'key'; readonly keyId: string };

/** A session of the portal. Times are milliseconds since the Unix epoch. */
export interface AccountSession {
  /** `ses_` and 20 random hexadecimal digits. Not a secret: the cookie is. */
  readonly id: string;
  readonly of: SessionOf;
  /** Where the sign-in came from, so that users recognize their own. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Accurate to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** A session with its current account or key: exactly one of the two. */
export type SignedIn =
  | { readonly session: AccountSession; readonly account: Account; readonly key: null }
  | { readonly session: AccountSession; readonly account: null; readonly key: Key };

export interface PortalSignIn {
  readonly of: SessionOf;
  /** The name of the cookie: a secret is good for this one only. */
  readonly cookie: string;
  readonly address: string;
  readonly userAgent: string;
  readonly at: number;
}

/** The `portal_sessions` table: rows in and out, no rules. */

export async function insertSession(tx: Tx, session: AccountSession, hash: string): Promise<void> {
  const { id, of, address, userAgent, createdAt, seenAt, expiresAt } = session;
  await tx
    .insertInto('portal_sessions')
    .values({
      id,
      hash,
      account_id: of.method === 'key' ? null : of.accountId,
      key_id: of.method === 'key' ? of.keyId : null,
      method: of.method,
      address,
      user_agent: userAgent,
      created_at: createdAt,
      seen_at: seenAt,
      expires_at: expiresAt,
    })
    .execute();
}

export async function sessionByHash(queries: Queries, hash: string, now: number): Promise<AccountSession | null> {
  const row = await live(queries, now).where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

/** Newest first. Their number is bounded, see `MAX_SESSIONS`. */
export async function sessionsOfAccount(queries: Queries, id: string, now: number): Promise<AccountSession[]> {
  const sessions = live(queries, now).where('account_id', '=', id);
  const rows = await sessions.orderBy('created_at', 'desc').orderBy('id').execute();
  return rows.map(sessionOf);
}

export async function touchSession(tx: Tx, id: string, now: number): Promise<void> {
  const session = tx.updateTable('portal_sessions').set({ seen_at: now }).where('id', '=', id);
  await session.where('seen_at', '<', now).execute();
}

/** @returns the session before the change; null if there is none with this id */
export async function deleteSession(tx: Tx, id: string): Promise<AccountSession | null> {
  const row = await tx.deleteFrom('portal_sessions').where('id', '=', id).returningAll().executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

export async function deleteExpired(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('portal_sessions').where('expires_at', '<=', now).execute();
}

/** Keeps the sessions of this account or key that were used last. */
export async function deleteAllBut(tx: Tx, of: SessionOf, count: number): Promise<void> {
  const [column, id] = of.method === 'key' ? (['key_id', of.keyId] as const) : (['account_id', of.accountId] as const);
  const kept = tx.selectFrom('portal_sessions').select('id').where(column, '=', id);
  await tx
    .deleteFrom('portal_sessions')
    .where(column, '=', id)
    .where('id', 'not in', kept.orderBy('seen_at', 'desc').orderBy('id').limit(count))
    .execute();
}

function live(queries: Queries, now: number) {
  const sessions = queries.selectFrom('portal_sessions').selectAll();
  return sessions.where('expires_at', '>', now).where('seen_at', '>', now - IDLE_MS);
}

function sessionOf(row: PortalSessionRow): AccountSession {
  const { id, address, user_agent: userAgent, created_at: createdAt, seen_at: seenAt, expires_at: expiresAt } = row;
  return { id, of: sessionOwner(row), address, userAgent, createdAt, seenAt, expiresAt };
}

function sessionOwner({ method, account_id: accountId, key_id: keyId }: PortalSessionRow): SessionOf {
  if (method === 'key') return { method, keyId: keyId ?? '' };
  return { method: method === 'oidc' ? 'oidc' : 'link', accountId: accountId ?? '' };
}
