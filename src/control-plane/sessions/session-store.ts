import type { Logger } from 'pino';
import { hashForUse, isSecret, createSecret, createSessionId } from '../../base/secrets.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts';
import { BackgroundWrites } from '../../storage/background-writes.ts';
import type { Database } from '../../storage/database.ts';
import type { PortalSessionRow, Queries, SessionRow, Tx } from '../../storage/tables.ts';

/** How long a session lasts without a request. */
export const MAX_IDLE_MS = 8 * HOUR_MS;
/**
 * Maximum lifetime of a session, by sign-in method. Users who sign in through a provider may lose their account there,
 * and their session should then end on the same day.
 */
export const LIFETIME_MS = { token: 7 * DAY_MS, link: 7 * DAY_MS, key: 7 * DAY_MS, oidc: 12 * HOUR_MS };
/** Maximum number of sessions per user. A new session replaces the session that has been idle longest. */
export const MAX_SESSIONS = 20;
/** Precision of `seenAt`, so that a busy page does not cause a write with each request. */
const SEEN_PRECISION_MS = MINUTE_MS;

/** A sign-in from a browser. */
export interface SignIn<User> {
  readonly user: User;
  /** The name of the cookie. The secret is valid only in this cookie. */
  readonly cookie: string;
  readonly address: string;
  readonly userAgent: string;
  readonly at: number;
}

/** A session of a browser. Times are milliseconds since the Unix epoch. */
export interface Session<User> {
  /** `ses_` and 20 random hexadecimal digits. It is not a secret, unlike the value of the cookie. */
  readonly id: string;
  readonly user: User;
  /** The address that the sign-in came from, so that users recognize their own sessions. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Accurate to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** A new session and the secret for its cookie. The secret is not stored. */
export interface StartedSession<User> {
  readonly session: Session<User>;
  readonly secret: string;
}

/** The columns that both tables of sessions have. */
type CommonRow = Omit<Pick<SessionRow, keyof SessionRow & keyof PortalSessionRow>, 'method'>;
type UserColumns<Row> = Omit<Row, keyof CommonRow>;

/** A table of sessions, and how its rows identify users. */
export interface SessionTable<User, Row> {
  readonly name: 'sessions' | 'portal_sessions';
  /** The message that is logged if the use of a session could not be recorded. */
  readonly useFailureMessage: string;
  toColumns(user: User): UserColumns<Row>;
  toUser(row: Row): User;
  /** The column that identifies the user. */
  idColumn(user: User): keyof UserColumns<Row> & string;
}

/**
 * The sessions of one kind of user, shared by all gateways of an installation. Only hashes of the secrets are stored.
 *
 * While the database is unavailable, calls are rejected with `StoreUnavailable`.
 */
export class SessionStore<User extends { readonly method: keyof typeof LIFETIME_MS }, Row> {
  readonly #database: Database;
  readonly #useWrites: BackgroundWrites;
  readonly #table: SessionTable<User, Row>;
  /** Typed as one of the two tables, because both have the columns that are used here. */
  readonly #name: 'sessions';

  constructor(database: Database, logger: Logger, table: SessionTable<User, Row>) {
    this.#database = database;
    this.#useWrites = new BackgroundWrites(logger, table.useFailureMessage);
    this.#table = table;
    this.#name = table.name as 'sessions';
  }

  /** Stores a new session. Deletes expired sessions, and the sessions of this user beyond `MAX_SESSIONS`. */
  async insert(tx: Tx, { user, cookie, address, userAgent, at }: SignIn<User>): Promise<StartedSession<User>> {
    await tx.deleteFrom(this.#name).where('expires_at', '<=', at).execute();
    await this.#makeRoom(tx, user);
    const secret = createSecret();
    const commonColumns: CommonRow = {
      id: createSessionId(),
      hash: hashForUse(cookie, secret),
      address,
      user_agent: userAgent,
      created_at: at,
      seen_at: at,
      expires_at: at + LIFETIME_MS[user.method],
    };
    const row = { ...commonColumns, ...this.#table.toColumns(user) } as unknown as SessionRow;
    await tx.insertInto(this.#name).values(row).execute();
    return { session: this.#toSession(row), secret };
  }

  /** Makes room for one session of this user by deleting those that were used longest ago. */
  async #makeRoom(tx: Tx, user: User): Promise<void> {
    const column = this.#table.idColumn(user);
    const [name, id] = [column as 'name', this.#table.toColumns(user)[column] as string];
    const keptIds = tx
      .selectFrom(this.#name)
      .select('id')
      .where(name, '=', id)
      .orderBy('seen_at', 'desc')
      .orderBy('id');
    await tx
      .deleteFrom(this.#name)
      .where(name, '=', id)
      .where('id', 'not in', keptIds.limit(MAX_SESSIONS - 1))
      .execute();
  }

  /**
   * Finds the session of a cookie, and records its use.
   *
   * @param check called with the session; returns null if its user may not use it anymore
   * @returns the result of `check`; null if the session has ended
   */
  async find<Checked>(
    cookie: string,
    secret: string,
    now: number,
    check: (queries: Queries, session: Session<User>) => Promise<Checked | null>,
  ): Promise<Checked | null> {
    if (!isSecret(secret)) return null;
    const match = await this.#database.lookUp(async (queries) => {
      const row = await this.#selectLive(queries, now)
        .where('hash', '=', hashForUse(cookie, secret))
        .executeTakeFirst();
      if (row === undefined) return null;
      const session = this.#toSession(row);
      return { session, checked: await check(queries, session) };
    });
    if (match === null || match.checked === null) return null;
    this.#recordUse(match.session, now);
    return match.checked;
  }

  /** Lists sessions, newest first. @param user the user whose sessions are listed; undefined lists those of all users */
  async list(now: number, user?: User): Promise<Session<User>[]> {
    const rows = await this.#database.read((queries) => {
      const sessions = this.#selectLive(queries, now).orderBy('created_at', 'desc').orderBy('id');
      if (user === undefined) return sessions.execute();
      const column = this.#table.idColumn(user);
      return sessions.where(column as 'name', '=', this.#table.toColumns(user)[column] as string).execute();
    });
    return rows.map((row) => this.#toSession(row));
  }

  /** @returns the session before the change; null if there is none with this id */
  async delete(tx: Tx, id: string): Promise<Session<User> | null> {
    const row = await tx.deleteFrom(this.#name).where('id', '=', id).returningAll().executeTakeFirst();
    return row === undefined ? null : this.#toSession(row);
  }

  #selectLive(queries: Queries, now: number) {
    return queries
      .selectFrom(this.#name)
      .selectAll()
      .where('expires_at', '>', now)
      .where('seen_at', '>', now - MAX_IDLE_MS);
  }

  #recordUse({ id, seenAt }: Session<User>, now: number): void {
    if (now - seenAt < SEEN_PRECISION_MS) return;
    this.#useWrites.start(id, () =>
      this.#database.transaction(async (tx) => {
        const session = tx.updateTable(this.#name).set({ seen_at: now }).where('id', '=', id);
        await session.where('seen_at', '<', now).execute();
      }),
    );
  }

  #toSession(row: SessionRow): Session<User> {
    const { id, address, user_agent: userAgent, created_at: createdAt, seen_at: seenAt, expires_at: expiresAt } = row;
    const user = this.#table.toUser(row as unknown as Row);
    return { id, user, address, userAgent, createdAt, seenAt, expiresAt };
  }
}
