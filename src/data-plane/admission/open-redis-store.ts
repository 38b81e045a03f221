import { hostname } from 'node:os';
import { banPolicyOf } from '../../config/sections/ban-settings.ts';
import { gatewayEvent } from '../../control-plane/events/gateway-events.ts';
import { connectRedis, type RedisConnection } from '../../storage/redis/connection.ts';
import { explain } from '../../storage/redis/failure.ts';
import { checkServer } from '../../storage/redis/server-checks.ts';
import { RedisUnavailable } from '../../storage/redis/unavailable.ts';
import { retryUntilAvailable } from '../../base/waiting/retry.ts';
import { StartError } from '../../base/start-error.ts';
import { RedisStore } from './redis/redis-store.ts';
import { Outage, type OutageListener } from './resilient/outage.ts';
import { ResilientStore } from './resilient/resilient-store.ts';
import { StoreUnavailable } from '../../base/store-unavailable.ts';
import type { OpenStore, StoreContext } from './store-context.ts';

/**
 * How long the start waits for Redis. A reachable server answers much sooner; an unreachable one must not keep the
 * listeners closed for long.
 */
const START_WAIT_MS = 2000;

/** The cause of an outage that lasts since the start. No server of a cluster has this name. */
const START = 'start';

/** A Redis that does not answer yet does not prevent the start. @throws StartError if it cannot be used */
export async function openRedisStore(url: string, context: StoreContext): Promise<OpenStore> {
  const { config, logger, metrics } = context;
  const { bans, replicas, redis } = config;
  const { commandTimeout: timeoutMs, keyPrefix: prefix } = redis;
  const policy = banPolicyOf(bans);
  const connection = connectRedis({ url, purpose: 'admission', logger });
  const exact = new RedisStore({ connection, prefix, policy, timeoutMs, metrics });
  const outage = new Outage(storeEvents(context));
  const store = new ResilientStore({ store: exact, policy, replicas, logger, metrics, outage });

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
        outage.begin(START, error.message);
        logger.error(`Redis cannot be used yet: ${error.message}; trying again until it works`);
      },
      onRecovery() {
        outage.end(START);
        logger.info('Redis can be used now');
      },
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

/** Which gateway it is: operators may have several. */
function storeEvents({ clock, note }: StoreContext): OutageListener {
  const host = hostname();
  const about = (agoMs: number) => ({ subject: host, owner: null, at: Math.round(clock() - agoMs) });
  return {
    onDegraded: (reason, agoMs) => note(gatewayEvent('store.degraded', { host, reason }, about(agoMs))),
    onRecovered(degradedForMs, agoMs) {
      const data = { host, degradedForMs: Math.round(degradedForMs) };
      note(gatewayEvent('store.recovered', data, about(agoMs)));
    },
  };
}

async function check({ client, failure }: RedisConnection): Promise<string[]> {
  try {
    return await checkServer(client);
  } catch (error) {
    throw error instanceof StartError ? error : new RedisUnavailable(failure() ?? explain(error));
  }
}
