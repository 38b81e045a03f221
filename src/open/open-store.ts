import { join } from 'node:path';
import type { Logger } from 'pino';
import { banPolicyOf } from '../config/ban-settings.ts';
import type { Config } from '../config/load.ts';
import { COUNTERS_FILE, openCounters } from '../database/sqlite/counters.ts';
import type { StoreMetrics } from '../observability/store-metrics.ts';
import { connectRedis, type RedisConnection } from '../redis/connection.ts';
import { explain } from '../redis/failure.ts';
import { checkServer } from '../redis/server-checks.ts';
import { RedisUnavailable } from '../redis/unavailable.ts';
import { retryUntilAvailable } from '../base/retry.ts';
import { StartError } from '../base/start-error.ts';
import { createEmbeddedStore } from '../admission/embedded/embedded-store.ts';
import { RedisStore } from '../admission/redis/redis-store.ts';
import { ResilientStore } from '../admission/resilient/resilient-store.ts';
import type { AdmissionStore, Clock } from '../admission/store.ts';
import { StoreUnavailable } from '../base/store-unavailable.ts';

/**
 * How long the start waits for Redis. A reachable server answers much sooner; an unreachable one must not keep the
 * listeners closed for long.
 */
const START_WAIT_MS = 2000;

export interface OpenStore {
  readonly store: AdmissionStore;
  /**
   * Why counters cannot be kept where they should be, for people; null while they can. Of a shared store: each gateway
   * then decides on its own.
   */
  readonly failure: () => string | null;
  readonly close: () => Promise<void>;
}

/**
 * Opens the store of counters and bans. A Redis that does not answer yet does not prevent the start.
 *
 * @throws StartError if the store cannot be used
 */
export function openStore(config: Config, logger: Logger, clock: Clock, metrics: StoreMetrics): Promise<OpenStore> {
  const { store } = config;
  if (store.kind === 'redis') return openRedisStore(store.url, config, logger, metrics);
  return openEmbeddedStore(config, logger, clock, metrics);
}

async function openEmbeddedStore(
  { dataDir, drain, bans }: Config,
  logger: Logger,
  clock: Clock,
  metrics: StoreMetrics,
): Promise<OpenStore> {
  const database = await openCounters(join(dataDir, COUNTERS_FILE), drain.deadline);
  let failure: string | null = null;
  const store = createEmbeddedStore({
    database,
    clock,
    policy: banPolicyOf(bans),
    onWritten() {
      failure = null;
    },
    onError(error) {
      failure = 'counters cannot be written, and would be lost in a crash: the log says why';
      metrics.error('write');
      logger.error({ err: error }, 'counters could not be written, and will be tried again');
    },
  });
  const close = async () => {
    await store.close();
    database.close();
  };
  return { store, failure: () => failure, close };
}

async function openRedisStore(
  url: string,
  { bans, replicas, redis }: Config,
  logger: Logger,
  metrics: StoreMetrics,
): Promise<OpenStore> {
  const { commandTimeout: timeoutMs, keyPrefix: prefix } = redis;
  const policy = banPolicyOf(bans);
  const connection = connectRedis({ url, purpose: 'admission', logger });
  const exact = new RedisStore({ connection, prefix, policy, timeoutMs, metrics });
  const store = new ResilientStore({ store: exact, policy, replicas, logger, metrics });

  let neverWorked: string | null = 'Redis has not answered since this gateway was started';
  const opening = retryUntilAvailable(
    async () => {
      if (!(await connection.ready(START_WAIT_MS))) throw new StoreUnavailable('Redis does not answer yet');
      const warnings = await check(connection);
      // Before the first request: while the store's clock is unknown, a decision needs two round trips.
      await exact.probe('');
      neverWorked = null;
      // Last, since a failed attempt is repeated, and each warning should be logged only once.
      for (const warning of warnings) logger.warn(warning);
    },
    {
      onFailure(error) {
        neverWorked = error.message;
        logger.error(`Redis cannot be used yet: ${error.message}; trying again until it works`);
      },
      onRecovery: () => logger.info('Redis can be used now'),
    },
  );
  const close = async () => {
    opening.stop();
    await store.close();
    connection.close();
  };
  try {
    await opening.firstAttempt;
  } catch (error) {
    await close();
    throw error;
  }
  const failure = () => neverWorked ?? store.degraded?.reason ?? null;
  return { store, failure, close };
}

async function check({ client, failure }: RedisConnection): Promise<string[]> {
  try {
    return await checkServer(client);
  } catch (error) {
    throw error instanceof StartError ? error : new RedisUnavailable(failure() ?? explain(error));
  }
}
