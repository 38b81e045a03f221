import type { Logger } from 'pino';
import { MINUTE_MS } from '../../../base/time.ts';
import { BackgroundWrites } from '../../../storage/background-writes.ts';
import { hashForUse, isLinkToken, isSecret, newLinkToken, newSecret, newSessionId } from '../../../base/secrets.ts';
import type { Database } from '../../../storage/database.ts';
import { appendAudit, type ChangeContext, entryOf } from '../../registry/audit/audit-log.ts';
import { LIFETIME_MS, LINK_LIFETIME_MS } from './session-lifetime.ts';
import type { Identity, Session } from './session.ts';
import * as rows from './session-rows.ts';

/** Sessions of one name; the one that was idle longest makes room. */
export const MAX_PER_NAME = 20;
/** How accurate `seenAt` is: a busy console does not write at each request. */
const SEEN_PRECISION_MS = MINUTE_MS;

export interface SignIn {
  readonly identity: Identity;
  /** The name of the cookie: a secret is good for this one only. */
  readonly cookie: string;
  readonly address: string;
  readonly userAgent: string;
  readonly at: number;
}

/**
 * Who is signed in, shared by all gateways of an installation. Only hashes of the secrets are kept. Each change is
 * written together with its audit entry.
 *
 * What the database cannot do now is rejected with `StoreUnavailable`.
 */
export class Sessions {
  readonly #database: Database;
  readonly #uses: BackgroundWrites;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#uses = new BackgroundWrites(logger, 'the use of a session was not noted');
  }

  /** @returns the session, and the secret for its cookie, which is kept nowhere */
  async start({ identity, cookie, address, userAgent, at }: SignIn): Promise<{ session: Session; secret: string }> {
    const { name, method } = identity;
    const secret = newSecret();
    const times = { createdAt: at, seenAt: at, expiresAt: at + LIFETIME_MS[method] };
    const session: Session = {
      id: newSessionId(),
      identity,
      address,
      userAgent,
      ...times,
    };
    const after = { method, address, userAgent, expiresAt: times.expiresAt };
    const entry = entryOf({ actor: name, reason: null, at }, 'session.start', session.id, { after });
    await this.#database.transaction(async (tx) => {
      await this.#database.dialect.lock(tx, 'sessions');
      await rows.deleteEnded(tx, at);
      await rows.deleteAllBut(tx, name, MAX_PER_NAME - 1);
      await rows.insertSession(tx, session, hashForUse(cookie, secret));
      await appendAudit(tx, [entry]);
    });
    return { session, secret };
  }

  /** The session of a cookie, unless it has ended. */
  async find(cookie: string, secret: string, now: number): Promise<Session | null> {
    if (!isSecret(secret)) return null;
    const session = await this.#database.lookUp((queries) =>
      rows.sessionByHash(queries, hashForUse(cookie, secret), now),
    );
    if (session !== null && now - session.seenAt >= SEEN_PRECISION_MS) this.#noteUse(session.id, now);
    return session;
  }

  list(now: number): Promise<Session[]> {
    return this.#database.read((queries) => rows.allSessions(queries, now));
  }

  /** @returns false if there is none with this id */
  async end(id: string, action: 'session.end' | 'session.revoke', change: ChangeContext): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const session = await rows.deleteSession(tx, id);
      if (session === null) return false;
      const { name, method } = session.identity;
      await appendAudit(tx, [entryOf(change, action, id, { before: { name, method } })]);
      return true;
    });
  }

  /**
   * Makes a link that signs in once as this token, in place of an earlier one.
   *
   * @returns its token, which is kept nowhere
   */
  async createLink(name: string, tokenHash: string, change: ChangeContext) {
    const token = newLinkToken();
    const expiresAt = change.at + LINK_LIFETIME_MS;
    await this.#database.transaction(async (tx) => {
      await tx
        .deleteFrom('sign_in_links')
        .where((eb) => eb.or([eb('name', '=', name), eb('expires_at', '<=', change.at)]))
        .execute();
      await tx
        .insertInto('sign_in_links')
        .values({ hash: hashForUse('link', token), name, token_hash: tokenHash, expires_at: expiresAt })
        .execute();
      await appendAudit(tx, [entryOf(change, 'session.link', name, { after: { expiresAt } })]);
    });
    return { token, expiresAt };
  }

  /** Spends a link: of several who try, one succeeds. @returns null if it is spent, too old, or no link at all */
  async spendLink(token: string, now: number): Promise<Identity | null> {
    if (!isLinkToken(token)) return null;
    const row = await this.#database.transaction((tx) =>
      tx.deleteFrom('sign_in_links').where('hash', '=', hashForUse('link', token)).returningAll().executeTakeFirst(),
    );
    if (row === undefined || row.expires_at <= now) return null;
    return { method: 'link', name: row.name, tokenHash: row.token_hash };
  }

  #noteUse(id: string, now: number): void {
    this.#uses.start(id, () => this.#database.transaction((tx) => rows.touchSession(tx, id, now)));
  }
}
