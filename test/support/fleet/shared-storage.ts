import { PostgresServer, type PostgresServerOptions } from '../servers/postgres-server.ts';
import { RedisServer, type RedisServerOptions } from '../servers/redis-server.ts';

/** Storage shared by the gateways of a fleet: PostgreSQL for records, Redis for counters. */
export interface SharedStorage {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  /** As in the settings of a gateway. */
  readonly locations: { readonly store: string; readonly database: string };
  stop(): Promise<void>;
}

export async function startSharedStorage(
  options: { readonly redis?: RedisServerOptions; readonly postgres?: PostgresServerOptions } = {},
): Promise<SharedStorage> {
  const redis = await RedisServer.start({ appendOnly: true, ...options.redis });
  const postgres = await PostgresServer.start(options.postgres);
  return {
    redis,
    postgres,
    locations: { store: redis.url, database: postgres.url() },
    async stop() {
      await redis.stop();
      await postgres.stop();
    },
  };
}
