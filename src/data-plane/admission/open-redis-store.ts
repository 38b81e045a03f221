import type { LockWait } from '../../storage/sqlite-file.ts';
import type { Clock } from '../../base/time.ts';
import { waitAtMost } from '../../base/awaitable.ts';
import { StartError, StoreUnavailable } from '../../base/error-types.ts';
import { retryUntilAvailable } from '../../base/retry-until-available.ts';
import { explainRedisError, RedisUnavailable } from '../../storage/redis/redis-failure.ts';
import { connectRedis, type RedisConnection } from '../../storage/redis/redis-connection.ts';
import { checkServer } from '../../storage/redis/server-checks.ts';
import { RedisStore } from './redis/redis-store.ts';
import { followBans } from './resilient/follow-bans.ts';
import { Outage, type OutageListener } from './resilient/outage.ts';
import { ResilientStore } from './resilient/resilient-store.ts';
import type { OpenStore } from './store.ts';
import type { BanPolicy } from './ban-rules.ts';
import type { BanSource } from './ban-source.ts';
import type { Logger } from 'pino';
import type { StoreMetrics } from '../../telemetry/metrics/store-metrics.ts';

/** Options for the store of counters and bans. */
export interface StoreOptions {
  readonly store: { readonly kind: 'embedded' } | { readonly kind: 'redis'; readonly url: string };
  readonly dataDir: string;
  readonly banPolicy: BanPolicy;
  /** Number of gateways that share Redis. While Redis is unavailable, each of them admits its share of the limits. */
  readonly replicas: number;
  readonly redis: { readonly commandTimeout: number; readonly keyPrefix: string };
  readonly lockWait: LockWait;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: StoreMetrics;
  /** Called when Redis cannot be reached, and when it can be reached again. */
  readonly outages: OutageListener;
  /** The record of bans. Gateways apply these bans while Redis is unavailable. */
  readonly bans: BanSource;
}

/**
 * How long the start waits for Redis. A reachable server responds much faster. An unreachable one must not delay the
 * start for long.
 */
const START_WAIT_MS = 2000;

/** The cause of an outage if Redis cannot be used at the start. Other causes are named after servers of the cluster. */
const START = 'start';

/** See `openStore`. @throws StartError if Redis cannot be used */
export async function openRedisStore(url: string, options: StoreOptions): Promise<OpenStore> {
  const { logger, metrics, banPolicy: policy, replicas, redis } = options;
  const { commandTimeout: timeoutMs, keyPrefix: prefix } = redis;
  const connection = connectRedis({ url, purpose: 'admission', logger });
  const redisStore = new RedisStore({ connection, prefix, policy, timeoutMs, metrics });
  const outage = new Outage(options.outages);
  const store = new ResilientStore({ store: redisStore, policy, replicas, logger, metrics, outage });

  let startFailure: string | null = 'Redis has not responded since this gateway started';
  const opening = retryUntilAvailable(
    async () => {
      if (!(await connection.ready(START_WAIT_MS))) throw new StoreUnavailable('Redis does not respond yet');
      const warnings = await checkConnection(connection);
      // The reply contains the time of the store's clock. Without it, the first decision would need two round trips.
      await redisStore.probe('');
      startFailure = null;
      // Warnings are logged last: if an attempt fails, it is repeated, and would log them again.
      for (const warning of warnings) logger.warn({ warning }, 'Redis configuration warning');
    },
    {
      onFailure(error) {
        startFailure = error.message;
        outage.begin(START, error.message);
        logger.error({ reason: error.message }, 'Redis cannot be used yet; retrying');
      },
      onRecovery() {
        outage.end(START);
        logger.info('Redis can be used');
      },
    },
  );
  const followedBans = followBans(
    options.bans,
    (change) => store.learnBan(change),
    (error) => logger.error({ err: error }, 'reading bans failed'),
  );
  const close = async () => {
    followedBans.stop();
    opening.stop();
    await store.close();
    connection.close();
  };
  try {
    await Promise.all([opening.firstAttempt, waitAtMost(START_WAIT_MS, followedBans.firstRead)]);
  } catch (error) {
    await close();
    throw error;
  }
  const failure = () => startFailure ?? store.degraded?.reason ?? null;
  return { store, failure, close };
}

async function checkConnection({ client, failure }: RedisConnection): Promise<string[]> {
  try {
    return await checkServer(client);
  } catch (error) {
    throw error instanceof StartError ? error : new RedisUnavailable(failure() ?? explainRedisError(error));
  }
}
