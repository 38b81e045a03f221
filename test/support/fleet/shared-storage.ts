import type { PostgresDatabases } from '../servers/postgres-databases.ts';
import { type RedisDatabase, sharedPostgres, sharedRedis } from '../servers/shared-servers.ts';

/** The storage that the gateways of a fleet share: PostgreSQL for records, and Redis for counters. */
export interface SharedStorage {
  readonly redis: RedisDatabase;
  readonly postgres: PostgresDatabases;
  /** The locations, as in the settings of a gateway. */
  readonly locations: { readonly store: string; readonly database: string };
  release(): Promise<void>;
}

/** Opens databases on the servers of the test run. */
export async function openSharedStorage(): Promise<SharedStorage> {
  const [redis, postgres] = await Promise.all([sharedRedis(), sharedPostgres()]);
  return {
    redis,
    postgres,
    locations: { store: redis.url, database: await postgres.borrowDatabase() },
    async release() {
      await redis.release();
      await postgres.dropDatabases();
    },
  };
}
