import { expect } from '@jest/globals';
import { query } from '../servers/postgres-databases.ts';
import { PostgresServer } from '../servers/postgres-server.ts';
import { type RedisDatabase, sharedRedis } from '../servers/shared-servers.ts';
import { until } from '../until.ts';
import { Fleet, type Member } from './fleet.ts';

interface Key {
  readonly id: string;
  readonly secret: string;
}

/**
 * Starts gateways whose PostgreSQL the tests of a file can stop, and asserts the outage and the recovery. PostgreSQL
 * starts once for each file, and each test has a database of its own.
 */
export class DatabaseFaults {
  readonly postgres: PostgresServer;
  readonly #redis: RedisDatabase;
  #database = '';
  #fleet: Fleet | undefined;

  private constructor(postgres: PostgresServer, redis: RedisDatabase) {
    this.postgres = postgres;
    this.#redis = redis;
  }

  static async start(): Promise<DatabaseFaults> {
    const [postgres, redis] = await Promise.all([PostgresServer.start(), sharedRedis()]);
    return new DatabaseFaults(postgres, redis);
  }

  /** Creates the database of a test. Call it before each test. */
  async prepare(): Promise<void> {
    this.#database = await this.postgres.createDatabase();
  }

  /** Stops the gateways and repairs the server. Call it after each test. */
  async reset(): Promise<void> {
    await this.#fleet?.stop();
    this.#fleet = undefined;
    await this.postgres.repair();
    await this.postgres.dropDatabases();
  }

  async stop(): Promise<void> {
    await this.postgres.stop();
    await this.#redis.release();
  }

  /** The places where the gateways of this test store their data. */
  get locations(): { readonly store: string; readonly database: string } {
    return { store: this.#redis.url, database: this.#database };
  }

  get fleet(): Fleet {
    if (this.#fleet === undefined) throw new Error('no gateway has been started');
    return this.#fleet;
  }

  get gateway(): Member {
    return this.fleet.members[0]!;
  }

  async startGateways(
    count = 1,
    options: { readonly database?: string; readonly settings?: Record<string, unknown> } = {},
  ): Promise<void> {
    this.#fleet = await Fleet.start(count, { ...this.locations, ...options });
  }

  /** Runs a statement in the database of this test. */
  query(text: string): Promise<Record<string, unknown>[]> {
    return query(this.#database, text);
  }

  async health(): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`${this.gateway.adminUrl}/readyz`);
    return { status: response.status, text: await response.text() };
  }

  async isReady(): Promise<boolean> {
    return (await this.health()).text.includes('ready');
  }

  async isDegraded(): Promise<boolean> {
    return (await this.health()).text.includes('degraded');
  }

  rename(id: string, name: string) {
    return this.gateway.admin('PATCH', `/keys/${id}`, { name });
  }

  /** The log lines about PostgreSQL with the level warning or above. */
  warnings(): Record<string, unknown>[] {
    return this.gateway.logged(/PostgreSQL/).filter(({ level }) => Number(level) >= 40);
  }

  /**
   * Creates a key that the gateway has cached, and one that it has not. Of the second one, only the secret is returned.
   */
  async twoKeys(): Promise<[Key, string]> {
    const known = await this.fleet.createKey(100_000);
    const { secret: unknown } = await this.fleet.createKey(100_000);
    expect((await this.gateway.get('/pets', known.secret)).status).toBe(200);
    return [known, unknown];
  }

  /** Asserts that cached keys are served, that other keys and changes get 503, and that the gateway is degraded. */
  async expectOutage(known: Key, unknown: string): Promise<void> {
    expect((await this.gateway.get('/pets', known.secret)).status).toBe(200);
    const refused = await this.gateway.get('/pets', unknown);
    expect(refused).toMatchObject({ status: 503, code: 'store_unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await this.rename(known.id, 'other')).status).toBe(503);
    expect(await this.health()).toEqual({ status: 200, text: expect.stringContaining('degraded') });
  }

  async expectRecovery(known: Key, unknown: string): Promise<void> {
    await until(() => this.isReady());
    expect((await this.gateway.get('/pets', unknown)).status).toBe(200);
    expect((await this.rename(known.id, 'after')).status).toBe(200);
    expect((await this.gateway.get('/pets', known.secret)).status).toBe(200);
  }
}
