import type { Logger } from 'pino';
import { hashForUse, isLinkToken, createLinkToken } from '../../../base/secrets.ts';
import { MINUTE_MS } from '../../../base/time.ts';
import { appendAudit, type ChangeContext, createAuditEntry } from '../../registry/audit-log.ts';
import {
  MAX_IDLE_MS,
  type Session,
  SessionStore,
  type SessionTable,
  type SignIn,
  type StartedSession,
} from '../../sessions/session-store.ts';
import type { Database } from '../../../storage/database.ts';
import type { SessionRow } from '../../../storage/tables.ts';

/** Lifetime of a link that signs in to the console. */
export const LINK_LIFETIME_MS = 15 * MINUTE_MS;

/** The credential that was used to sign in. It must still be valid at each request. */
export type Identity =
  | {
      readonly method: 'token' | 'link';
      /** The name of the admin token. */
      readonly name: string;
      /** SHA-256 of the token. If the token is replaced, the hash no longer matches and the session ends. */
      readonly tokenHash: string;
    }
  | {
      readonly method: 'oidc';
      /** `oidc:` and the email address or subject. The prefix keeps this name different from a token's name. */
      readonly name: string;
      readonly issuer: string;
      /** The values of the configured claim that give a role. */
      readonly claims: readonly string[];
    };

export type ConsoleSession = Session<Identity>;

/** The sessions of the console. Each change is written together with its audit entry. */
export class ConsoleSessions {
  readonly #database: Database;
  readonly #store: SessionStore<Identity, SessionRow>;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#store = new SessionStore(database, logger, CONSOLE_SESSION_TABLE);
  }

  async start(signIn: SignIn<Identity>): Promise<StartedSession<Identity>> {
    const { user, address, userAgent, at } = signIn;
    const { name, method } = user;
    return this.#database.transaction(async (tx) => {
      await this.#database.dialect.lock(tx, 'sessions');
      // Delete sessions that were idle for too long. `insert` deletes only expired ones.
      await tx
        .deleteFrom('sessions')
        .where('seen_at', '<=', at - MAX_IDLE_MS)
        .execute();
      const started = await this.#store.insert(tx, signIn);
      const { id, expiresAt } = started.session;
      const after = { method, address, userAgent, expiresAt };
      await appendAudit(tx, [createAuditEntry({ actor: name, reason: null, at }, 'session.start', id, { after })]);
      return started;
    });
  }

  /** Finds the session of a cookie; null if it has ended. */
  find(cookie: string, secret: string, now: number): Promise<ConsoleSession | null> {
    return this.#store.find(cookie, secret, now, async (_queries, session) => session);
  }

  list(now: number): Promise<ConsoleSession[]> {
    return this.#store.list(now);
  }

  /** @returns false if there is no session with this id */
  async end(id: string, action: 'session.end' | 'session.revoke', change: ChangeContext): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const session = await this.#store.delete(tx, id);
      if (session === null) return false;
      const { name, method } = session.user;
      await appendAudit(tx, [createAuditEntry(change, action, id, { before: { name, method } })]);
      return true;
    });
  }

  async endReplacedSession(cookie: string, secret: string, at: number): Promise<void> {
    const session = await this.find(cookie, secret, at);
    if (session === null) return;
    await this.end(session.id, 'session.end', { actor: session.user.name, reason: 'signed in again', at });
  }

  /**
   * Creates a link that signs in once with the name and role of this token. Replaces an earlier link of the token.
   *
   * @returns the link's own token, which is not stored, and when the link expires
   */
  async createLink(name: string, tokenHash: string, change: ChangeContext) {
    const token = createLinkToken();
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
      await appendAudit(tx, [createAuditEntry(change, 'session.link', name, { after: { expiresAt } })]);
    });
    return { token, expiresAt };
  }

  /**
   * Spends a link. If several people try at the same time, only one succeeds.
   *
   * @returns null if the link is spent or too old, or if there is no such link
   */
  async spendLink(token: string, now: number): Promise<Identity | null> {
    if (!isLinkToken(token)) return null;
    const row = await this.#database.transaction((tx) =>
      tx.deleteFrom('sign_in_links').where('hash', '=', hashForUse('link', token)).returningAll().executeTakeFirst(),
    );
    if (row === undefined || row.expires_at <= now) return null;
    return { method: 'link', name: row.name, tokenHash: row.token_hash };
  }
}

const CONSOLE_SESSION_TABLE: SessionTable<Identity, SessionRow> = {
  name: 'sessions',
  useFailureMessage: 'could not record the use of a console session',
  idColumn: () => 'name',

  toColumns(user) {
    const { method, name } = user;
    if (method !== 'oidc') return { method, name, token_hash: user.tokenHash, issuer: null, claims: null };
    return { method, name, token_hash: null, issuer: user.issuer, claims: JSON.stringify(user.claims) };
  },

  toUser({ name, method, token_hash: tokenHash, issuer, claims }) {
    if (method === 'oidc') {
      return { method, name, issuer: issuer ?? '', claims: JSON.parse(claims ?? '[]') as string[] };
    }
    return { method: method === 'link' ? 'link' : 'token', name, tokenHash: tokenHash ?? '' };
  },
};
