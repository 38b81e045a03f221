import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migratePostgres } from '../../../src/storage/postgres.ts';

/**
 * Deletes all rows except those that migrations insert. This is faster than TRUNCATE, which creates files. It fails if
 * a table is still locked.
 */
const EMPTY_ALL_TABLES = `DO $$
  DECLARE name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    SET LOCAL lock_timeout = '2s';
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'additive_migrations') LOOP
      EXECUTE format('DELETE FROM %I WHERE %s', name, CASE name WHEN 'history_names' THEN 'no > 1' ELSE 'true' END);
    END LOOP;
  END
$$`;

/** Creates databases on a PostgreSQL server. Their names are random, so that test files can share the server. */
export class PostgresDatabases {
  readonly port: number;
  readonly #template: string | undefined;
  readonly #created: string[] = [];
  readonly #released: string[] = [];

  /** @param template a database with all tables and no rows; without it, each database is migrated */
  constructor(port: number, template?: string) {
    this.port = port;
    this.#template = template;
  }

  /** The URL of a database. By default, the initial database. */
  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /**
   * Creates a database without tables.
   *
   * @returns the URL of the database
   */
  createDatabase(): Promise<string> {
    return this.#create('template1');
  }

  /**
   * Provides a database with all tables and no rows. It reuses a released one if possible, because emptying a database
   * takes half as long as creating and dropping one. Sequences are not reset.
   *
   * @returns the URL of the database
   */
  async borrowDatabase(): Promise<string> {
    return this.#released.pop() ?? this.#createMigrated();
  }

  /** Empties a borrowed database for the next test. Its connections must be closed. */
  async releaseDatabase(url: string): Promise<void> {
    await query(url, EMPTY_ALL_TABLES);
    this.#released.push(url);
  }

  /** Drops all databases that were created here, and closes their connections. */
  async dropDatabases(): Promise<void> {
    this.#released.length = 0;
    for (const name of this.#created.splice(0)) await query(this.url(), `DROP DATABASE ${name} WITH (FORCE)`);
  }

  async #createMigrated(): Promise<string> {
    if (this.#template !== undefined) return this.#create(this.#template);
    const url = await this.createDatabase();
    await migratePostgres(url);
    return url;
  }

  async #create(template: string): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await query(this.url(), `CREATE DATABASE ${name} TEMPLATE ${template}`);
    this.#created.push(name);
    return this.url(name);
  }
}

export function databaseName(url: string): string {
  return new URL(url).pathname.slice(1);
}

/**
 * Runs a statement on a new connection.
 *
 * @returns the rows
 */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
