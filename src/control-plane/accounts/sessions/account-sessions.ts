import type { Logger } from 'pino';
import type { Queries, Tx } from '../../../storage/tables.ts';
import { hashForUse, isSecret, newSecret, newSessionId } from '../../../base/secrets.ts';
import { MINUTE_MS } from '../../../base/time.ts';
import { BackgroundWrites } from '../../../storage/background-writes.ts';
import type { Database } from '../../../storage/database.ts';
import { appendAudit, type ChangeContext, entryOf } from '../../registry/audit/audit-log.ts';
import { keyById } from '../../registry/keys/key-rows.ts';
import type { AccountSession, PortalSignIn, SessionOf, SignedIn } from './account-session.ts';
import { LIFETIME_MS } from './session-lifetime.ts';
import * as rows from './session-rows.ts';
import { accountBy, accountLock, noteSignIn } from '../account-rows.ts';

/** Sessions of one account or key; the one that was idle longest makes room. */
export const MAX_SESSIONS = 20;
/** How accurate `seenAt` is: a busy page does not write at each request. */
const SEEN_PRECISION_MS = MINUTE_MS;

/**
 * Who is signed in to the portal, shared by all gateways of an installation. Only hashes of the secrets are kept. Each
 * change is written together with its audit entry.
 *
 * What the database cannot do now is rejected with `StoreUnavailable`.
 */
export class AccountSessions {
  readonly #database: Database;
  readonly #uses: BackgroundWrites;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#uses = new BackgroundWrites(logger, 'the use of a portal session was not noted');
  }

  /**
   * @returns who is signed in, and the secret for the cookie, which is kept nowhere; null if there is no such account
   *   or key, or it is not active any more
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
      await rows.deleteExpired(tx, at);
      await rows.deleteAllBut(tx, of, MAX_SESSIONS - 1);
      await rows.insertSession(tx, session, hashForUse(cookie, secret));
      if (of.method !== 'key') await noteSignIn(tx, of.accountId, at);
      await appendAudit(tx, [entry]);
      return found;
    });
    return signedIn === null ? null : { signedIn, secret };
  }

  /** Null if the session has ended, or its account or key is not active any more. */
  async find(cookie: string, secret: string, now: number): Promise<SignedIn | null> {
    if (!isSecret(secret)) return null;
    const signedIn = await this.#database.lookUp(async (queries) => {
      const session = await rows.sessionByHash(queries, hashForUse(cookie, secret), now);
      return session === null ? null : stillActive(queries, session, now);
    });
    if (signedIn !== null && now - signedIn.session.seenAt >= SEEN_PRECISION_MS) {
      const { id } = signedIn.session;
      this.#uses.start(id, () => this.#database.transaction((tx) => rows.touchSession(tx, id, now)));
    }
    return signedIn;
  }

  /** Newest first. */
  listOf(accountId: string, now: number): Promise<AccountSession[]> {
    return this.#database.read((queries) => rows.sessionsOfAccount(queries, accountId, now));
  }

  /** @returns false if there is none with this id */
  async end(id: string, change: ChangeContext): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const session = await rows.deleteSession(tx, id);
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
