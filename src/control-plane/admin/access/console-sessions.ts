import type { Logger } from 'pino';
import { hashForUse, isLinkToken, isSecret, newLinkToken, newSecret, newSessionId } from '../../../base/secrets.ts';
import { appendAudit, type ChangeContext, entryOf } from '../../registry/audit-log.ts';
import {
  LIFETIME_MS,
  LINK_LIFETIME_MS,
  MAX_SESSIONS,
  SEEN_PRECISION_MS,
  IDLE_MS,
} from '../../sessions/session-limits.ts';
import { BackgroundWrites } from '../../../storage/background-writes.ts';
import type { Database } from '../../../storage/database.ts';
import type { Queries, Tx, SessionRow } from '../../../storage/tables.ts';

export interface SignIn {
  readonly identity: Identity;
  /** The name of the cookie: a secret is good for this one only. */
  readonly cookie: string;
  readonly address: string;
  readonly userAgent: string;
  readonly at: number;
}

/**
 * The sessions of the console, shared by all gateways of an installation. Only hashes of the secrets are stored. Each
 * change is written together with its audit entry.
 *
 * While the database is unavailable, calls are rejected with `StoreUnavailable`.
 */
export class ConsoleSessions {
  readonly #database: Database;
  readonly #uses: BackgroundWrites;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#uses = new BackgroundWrites(logger, 'could not record the use of a console session');
  }

  /** @returns the session, and the secret for its cookie, which is not stored */
  async start({
    identity,
    cookie,
    address,
    userAgent,
    at,
  }: SignIn): Promise<{ session: ConsoleSession; secret: string }> {
    const { name, method } = identity;
    const secret = newSecret();
    const times = { createdAt: at, seenAt: at, expiresAt: at + LIFETIME_MS[method] };
    const session: ConsoleSession = {
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
      await deleteEnded(tx, at);
      await deleteAllBut(tx, name, MAX_SESSIONS - 1);
      await insertSession(tx, session, hashForUse(cookie, secret));
      await appendAudit(tx, [entry]);
    });
    return { session, secret };
  }

  /** The session of a cookie, unless it has ended. */
  async find(cookie: string, secret: string, now: number): Promise<ConsoleSession | null> {
    if (!isSecret(secret)) return null;
    const session = await this.#database.lookUp((queries) => sessionByHash(queries, hashForUse(cookie, secret), now));
    if (session !== null && now - session.seenAt >= SEEN_PRECISION_MS) this.#noteUse(session.id, now);
    return session;
  }

  list(now: number): Promise<ConsoleSession[]> {
    return this.#database.read((queries) => allSessions(queries, now));
  }

  /** @returns false if there is none with this id */
  async end(id: string, action: 'session.end' | 'session.revoke', change: ChangeContext): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const session = await deleteSession(tx, id);
      if (session === null) return false;
      const { name, method } = session.identity;
      await appendAudit(tx, [entryOf(change, action, id, { before: { name, method } })]);
      return true;
    });
  }

  /**
   * Creates a link that signs in once as this token. Replaces an earlier link.
   *
   * @returns its token, which is not stored
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
    this.#uses.start(id, () => this.#database.transaction((tx) => touchSession(tx, id, now)));
  }
}

/** What was used to sign in. It must still be valid at each request. */
export type Identity =
  | {
      readonly method: 'token' | 'link';
      /** The name of the admin token. */
      readonly name: string;
      /** Its SHA-256: a token that was replaced ends its sessions. */
      readonly tokenHash: string;
    }
  | {
      readonly method: 'oidc';
      /** `oidc:` and the address or subject, so that a provider's names cannot equal a token's. */
      readonly name: string;
      readonly issuer: string;
      /** Those values of the configured claim that give a role. */
      readonly claims: readonly string[];
    };

/** A session of the console. Times are milliseconds since the Unix epoch. */
export interface ConsoleSession {
  /** `ses_` and 20 random hexadecimal digits. Not a secret: the cookie is. */
  readonly id: string;
  readonly identity: Identity;
  /** Where the sign-in came from, so that users recognize their own. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Accurate to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

export async function insertSession(tx: Tx, session: ConsoleSession, hash: string): Promise<void> {
  const { id, identity, address, userAgent, createdAt, seenAt, expiresAt } = session;
  const isOidc = identity.method === 'oidc';
  await tx
    .insertInto('sessions')
    .values({
      id,
      hash,
      name: identity.name,
      method: identity.method,
      token_hash: isOidc ? null : identity.tokenHash,
      issuer: isOidc ? identity.issuer : null,
      claims: isOidc ? JSON.stringify(identity.claims) : null,
      address,
      user_agent: userAgent,
      created_at: createdAt,
      seen_at: seenAt,
      expires_at: expiresAt,
    })
    .execute();
}

export async function sessionByHash(queries: Queries, hash: string, now: number): Promise<ConsoleSession | null> {
  const row = await live(queries, now).where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

/** Newest first. Their number is bounded, see `MAX_SESSIONS`. */
export async function allSessions(queries: Queries, now: number): Promise<ConsoleSession[]> {
  const rows = await live(queries, now).orderBy('created_at', 'desc').orderBy('id').execute();
  return rows.map(sessionOf);
}

export async function touchSession(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ seen_at: now }).where('id', '=', id).where('seen_at', '<', now).execute();
}

/** @returns the session before the change; null if there is none with this id */
export async function deleteSession(tx: Tx, id: string): Promise<ConsoleSession | null> {
  const row = await tx.deleteFrom('sessions').where('id', '=', id).returningAll().executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

export async function deleteEnded(tx: Tx, now: number): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', now - IDLE_MS)]))
    .execute();
}

/** Keeps the sessions of this name that were used last. */
export async function deleteAllBut(tx: Tx, name: string, count: number): Promise<void> {
  const kept = tx.selectFrom('sessions').select('id').where('name', '=', name);
  await tx
    .deleteFrom('sessions')
    .where('name', '=', name)
    .where('id', 'not in', kept.orderBy('seen_at', 'desc').orderBy('id').limit(count))
    .execute();
}

function live(queries: Queries, now: number) {
  return queries
    .selectFrom('sessions')
    .selectAll()
    .where('expires_at', '>', now)
    .where('seen_at', '>', now - IDLE_MS);
}

function sessionOf(row: SessionRow): ConsoleSession {
  const { id, address, user_agent: userAgent, created_at: createdAt, seen_at: seenAt, expires_at: expiresAt } = row;
  return { id, identity: identityOf(row), address, userAgent, createdAt, seenAt, expiresAt };
}

function identityOf({ name, method, token_hash: tokenHash, issuer, claims }: SessionRow): Identity {
  if (method === 'oidc') return { method, name, issuer: issuer ?? '', claims: JSON.parse(claims ?? '[]') as string[] };
  return { method: method === 'link' ? 'link' : 'token', name, tokenHash: tokenHash ?? '' };
}
