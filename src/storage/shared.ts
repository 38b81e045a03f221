import type { Logger } from 'pino';
import { RedisStore } from '../admission/redis-store.ts';
import { ResilientStore } from '../admission/resilient-store.ts';
import { StoreUnavailable } from '../admission/store.ts';
import type { Config } from '../config/load.ts';
import type { StoreMetrics } from '../observability/store-metrics.ts';
import { connectRedis } from '../redis/connection.ts';
import { explain } from '../redis/failure.ts';
import { RedisUnavailable } from '../redis/unavailable.ts';
import { checkServer } from '../redis/server-checks.ts';
import { LateRegistry } from '../registry/late-registry.ts';
import { createRedisRegistry } from '../registry/redis-registry.ts';
import { retryUntilAvailable } from '../retry.ts';
import { StartError } from '../start-error.ts';
import type { Storage } from './storage.ts';

/** A server that is there answers much sooner; one that is not must not keep the listeners closed for long. */
const START_WAIT_MS = 2000;

/**
 * Keys, plans, counters and bans in Redis. Registry and admission have a connection each, so that a long list of keys
 * delays no request; a subscription needs one of its own.
 */
export async function openShared(url: string, config: Config, logger: Logger, metrics: StoreMetrics): Promise<Storage> {
  const { bans: policy, replicas } = config;
  const { commandTimeout, keyPrefix: prefix } = config.redis;
  const connect = (purpose: string) => connectRedis({ url, purpose, logger });
  const admission = connect('admission');
  const keys = connect('registry');
  const events = connect('events');
  const connections = [admission, keys, events];

  const exact = new RedisStore({ connection: admission, prefix, policy, timeout: commandTimeout, metrics });
  const store = new ResilientStore({ store: exact, policy, replicas, logger, metrics });
  const registry = new LateRegistry();
  const close = async () => {
    opening.stop();
    await store.close();
    await registry.close();
    for (const connection of connections) connection.close();
  };

  async function open(): Promise<void> {
    const ready = await Promise.all(connections.map((connection) => connection.ready(START_WAIT_MS)));
    if (ready.includes(false)) throw new StoreUnavailable('Redis does not answer yet');
    const warnings = await check();
    // Before the first request: a store whose clock is not known yet needs two round trips.
    await exact.probe('');
    const { client } = keys;
    const timeouts = { lookUp: commandTimeout };
    registry.open(await createRedisRegistry({ client, subscriber: events.client, prefix, timeouts }));
    // Last, since what fails is tried again: each is told once.
    for (const warning of warnings) logger.warn(warning);
  }

  async function check(): Promise<string[]> {
    try {
      return await checkServer(keys.client);
    } catch (error) {
      throw error instanceof StartError ? error : new RedisUnavailable(keys.failure() ?? explain(error));
    }
  }

  const opening = retryUntilAvailable(open, {
    onFailure: (error) => logger.error(`Redis cannot be used yet: ${error.message}; trying again until it works`),
    onRecovery: () => logger.info('Redis can be used now'),
  });
  try {
    await opening.firstAttempt;
  } catch (error) {
    await close();
    throw error;
  }
  return { registry, store, isDegraded: () => store.degraded !== null, close };
}
