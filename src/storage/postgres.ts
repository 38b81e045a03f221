import { Kysely, PostgresDialect, sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { waitAtMost } from '../base/awaitable.ts';
import { Announcements, type Database, type DatabaseState } from './database.ts';
import type { Tx, Tables } from './tables.ts';
import { postgresDialect } from './dialect.ts';
import { type MigrationResult, migrate, warnOfNewerSteps } from './migrations.ts';
import { PostgresUnavailable, toStartError } from './postgres-errors.ts';
import { LOOK_UP_TIMEOUTS, MIGRATION_TIMEOUTS, RECORD_TIMEOUTS } from './postgres-timeouts.ts';
import { createPool } from './postgres-pool.ts';
import { CHANGES_CHANNEL, PostgresListener } from './postgres-listener.ts';

/**
 * Maximum time that a start waits for PostgreSQL. A migration may take longer, but the gateway must start serving in
 * the meantime.
 */
const START_WAIT_MS = 5000;

/** Maximum number of attempts for a transaction that conflicts with others. */
const ATTEMPTS = 5;
/** Messages per notification. PostgreSQL allows at most 8,000 bytes in one. */
const MESSAGES_PER_NOTIFICATION = 100;

/**
 * The records in PostgreSQL, shared by all gateways of an installation.
 *
 * @returns a promise that resolves once PostgreSQL responds and its tables are up to date. If the first attempt fails
 *   or takes too long, the promise resolves nevertheless. Every call is then rejected until a later attempt succeeds
 * @throws StartError if PostgreSQL refuses the connection for a reason that retrying cannot fix
 */
export async function openPostgresDatabase(url: string, logger: Logger): Promise<Database> {
  const database = new PostgresDatabase(url, logger);
  try {
    await waitAtMost(START_WAIT_MS, database.start());
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * How long a migration is retried while other gateways or a backup use the tables. After that, it fails, and a gateway
 * tries again when it next connects.
 */
const MIGRATION_RETRY_MS = 5000;
/** Pause between two attempts to migrate, so that transactions waiting behind the migration can run. */
const MIGRATION_RETRY_PAUSE_MS = 300;

/**
 * Migrates the tables. Older gateways may be using them, and must not wait for long. So if a table stays locked for
 * more than a moment, the migration is rolled back and retried.
 */
export async function migratePostgres(url: string): Promise<MigrationResult> {
  const pool = createPool({ url, purpose: 'migrations', ...MIGRATION_TIMEOUTS });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const retryUntil = performance.now() + MIGRATION_RETRY_MS;
  try {
    for (;;) {
      try {
        return await migrate(kysely, postgresDialect);
      } catch (error) {
        const isBlocked = error instanceof PostgresUnavailable && (error.kind === 'busy' || error.kind === 'timeout');
        if (!isBlocked || performance.now() > retryUntil) throw toStartError(error);
        await setTimeout(MIGRATION_RETRY_PAUSE_MS);
      }
    }
  } finally {
    await pool.end();
  }
}

class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly #health: PostgresHealth;
  readonly #listener: PostgresListener;
  readonly #pools;
  readonly #records: Kysely<Tables>;
  readonly #lookUps: Kysely<Tables>;
  readonly #announcements = new Announcements();
  /**
   * Ids of this gateway's own notifications that have not arrived yet. On arrival they are ignored, because the
   * listeners were already called.
   */
  readonly #ownNotifications = new Set<string>();
  #prepared = false;

  constructor(url: string, logger: Logger) {
    this.#health = new PostgresHealth(logger);
    const records = createPool({ url, purpose: 'records', ...RECORD_TIMEOUTS });
    const lookUps = createPool({ url, purpose: 'look-ups', ...LOOK_UP_TIMEOUTS });
    this.#pools = [records, lookUps];
    this.#records = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: records }) });
    this.#lookUps = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lookUps }) });
    this.#listener = new PostgresListener(url, {
      prepare: async () => {
        if (this.#prepared) return;
        const { newer } = await migratePostgres(url);
        warnOfNewerSteps(logger, newer);
        this.#prepared = true;
      },
      up: (writable) => this.#health.up(writable),
      failed: (failure) => this.#handleFailure(failure),
      message: (payload) => this.#receive(payload),
      missed: () => this.#handleMissed(),
      listenFails: () =>
        logger.warn(
          'PostgreSQL does not deliver notifications, maybe because of a connection pooler: polling for changes every second',
        ),
    });
  }

  start(): Promise<void> {
    return this.#listener.start();
  }

  state(): DatabaseState {
    return this.#health.state;
  }

  failure(): string | null {
    return this.#health.state === 'up' ? null : this.#health.failure.message;
  }

  read<T>(work: (queries: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#runUnlessAway(() => work(this.#records));
  }

  lookUp<T>(work: (queries: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#runUnlessAway(() => work(this.#lookUps));
  }

  async transaction<T>(work: (tx: Tx, announce: (message: string) => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const messages = new Set<string>();
      const notificationIds: string[] = [];
      try {
        const result = await this.#runUnlessAway(() =>
          this.#records.transaction().execute(async (tx) => {
            const done = await work(tx, (message) => messages.add(message));
            await this.#notify(tx, [...messages], notificationIds);
            return done;
          }),
        );
        this.#announcements.notify([...messages]);
        return result;
      } catch (error) {
        for (const id of notificationIds) this.#ownNotifications.delete(id);
        if (!(error instanceof PostgresUnavailable)) throw error;
        if (error.kind === 'busy' && attempt < ATTEMPTS) continue;
        // The transaction may have been committed anyway, or may still be, so caches must read again.
        if (messages.size > 0) this.#announcements.notify([null]);
        throw error;
      }
    }
  }

  onChange(listener: (message: string | null) => void): void {
    this.#announcements.add(listener);
  }

  heardUntil(): number {
    return this.#listener.heardUntil;
  }

  async close(): Promise<void> {
    await this.#listener.close();
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  /** Runs the work, or fails immediately while the database is away. */
  async #runUnlessAway<T>(work: () => Promise<T>): Promise<T> {
    if (this.#health.state === 'away') throw this.#health.failure;
    return work();
  }

  /** Adds notifications to a transaction. PostgreSQL sends them only if the transaction commits. */
  async #notify(tx: Tx, messages: readonly string[], notificationIds: string[]): Promise<void> {
    for (let from = 0; from < messages.length; from += MESSAGES_PER_NOTIFICATION) {
      const id = randomUUID();
      this.#ownNotifications.add(id);
      notificationIds.push(id);
      const payload = JSON.stringify({ id, messages: messages.slice(from, from + MESSAGES_PER_NOTIFICATION) });
      await sql`SELECT pg_notify(${CHANGES_CHANNEL}, ${payload})`.execute(tx);
    }
  }

  #receive(payload: string): void {
    const { id, messages } = parseNotification(payload);
    if (!this.#ownNotifications.delete(id)) this.#announcements.notify(messages);
  }

  #handleFailure(failure: Error): void {
    this.#health.failed(failure, this.#prepared);
    if (this.#health.state === 'away') for (const pool of this.#pools) pool.disconnect();
  }

  #handleMissed(): void {
    this.#ownNotifications.clear();
    this.#announcements.notify([null]);
  }
}

/** Parses a notification. An unknown payload means that changes may have been missed. */
function parseNotification(payload: string): { readonly id: string; readonly messages: readonly (string | null)[] } {
  try {
    const { id, messages } = JSON.parse(payload) as { id: string; messages: string[] };
    return { id, messages: messages.map(String) };
  } catch {
    return { id: '', messages: [null] };
  }
}

/** The state of PostgreSQL as seen by the listening connection. Logs one line per change. */
class PostgresHealth {
  state: DatabaseState = 'away';
  /** The reason why PostgreSQL is not up. Calls are rejected with this error while it is away. */
  failure = new PostgresUnavailable('unreachable', 'it has not responded since this gateway started');
  readonly #logger: Logger;
  /** The state in the last log line. */
  #lastLogged = '';

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  up(writable: boolean): void {
    this.state = writable ? 'up' : 'degraded';
    if (!writable) this.failure = new PostgresUnavailable('read_only');
    const status = writable ? 'up' : 'read_only';
    if (status === this.#lastLogged) return;
    const first = this.#lastLogged === '';
    this.#lastLogged = status;
    if (!writable) this.#logger.warn({ failure: status, reason: this.failure.message }, 'PostgreSQL is read-only');
    else if (first) this.#logger.info('connected to PostgreSQL');
    else this.#logger.info('PostgreSQL is available again');
  }

  /** @param isMigrated whether the tables have been migrated, so that other connections may still work */
  failed(failure: Error, isMigrated: boolean): void {
    const isPostgresFailure = failure instanceof PostgresUnavailable;
    const kind = isPostgresFailure ? failure.kind : failure.message;
    const isPartial = kind === 'too_many_connections' || kind === 'read_only';
    this.state = isMigrated && isPartial ? 'degraded' : 'away';
    this.failure = isPostgresFailure ? failure : new PostgresUnavailable('unreachable', failure.message);
    if (kind === this.#lastLogged) return;
    this.#lastLogged = kind;
    this.#logger.warn({ failure: kind, reason: failure.message }, 'PostgreSQL is unavailable; retrying');
  }
}
