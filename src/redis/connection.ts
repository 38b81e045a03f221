import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import type { Logger } from 'pino';
import { StartError } from '../base/start-error.ts';
import { ConnectionLog } from './connection-log.ts';
import { explain, type Failure } from './failure.ts';
import { hearRefusals } from './handshake.ts';
import { describeLocation, parseRedisUrl, type RedisLocation } from './url.ts';

export type RedisClient = Redis | Cluster;

export interface ConnectionOptions {
  /** As `TOLLGATE_STORE` has it. */
  readonly url: string;
  /** What the connection is for: names it in the log, and in Redis' own `CLIENT LIST`. */
  readonly purpose: string;
  readonly logger: Logger;
  /** ms after which a command that was not answered is rejected. Undefined: its caller sees to it. */
  readonly commandTimeout?: number | undefined;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** Why it cannot take commands, as far as that is known. */
  readonly failure: () => Failure | null;
  /** True once it can take commands; false if it cannot within `ms`. */
  readonly ready: (ms: number) => Promise<boolean>;
  readonly close: () => void;
}

/** Silence after which a connection with commands on it counts as dead, and is made anew. */
const SILENCE_MS = 1000;
const CONNECT_TIMEOUT_MS = 1000;
const LONGEST_PAUSE_MS = 500;
const CHECK_MS = 10;
/** At most so often a connection to a server that takes no writes is made anew. */
const RENEW_MS = 1000;

/**
 * A connection that never makes anybody wait for one: without one, a command is rejected at once; one that was sent
 * is never sent again, since it may have been done. It reconnects by itself, for ever.
 *
 * @throws StartError if the URL cannot be read
 */
export function connectRedis({ url, purpose, logger, commandTimeout }: ConnectionOptions): RedisConnection {
  const location = parseRedisUrl(url);
  if (location === null) {
    throw new StartError(
      'the address of Redis cannot be read: it is redis://[USER:PASSWORD@]HOST:PORT, the same with rediss:, or ' +
        'redis-cluster://HOST:PORT,HOST:PORT; reserved characters in a password are percent-encoded',
    );
  }
  const log = new ConnectionLog(logger.child({ connection: purpose, redis: describeLocation(location) }));
  const client = open(location, purpose, commandTimeout, log);
  if (client instanceof Redis) hearRefusals(client, (error) => log.failed(error));
  client.on('error', (error: unknown) => log.failed(error));
  client.on('node error', (error: unknown) => log.nodeFailed(error));
  client.on('close', () => log.closed());
  client.on('ready', () => log.ready());
  // A cluster's client would connect to a node when it has the first command for it, and reject those that follow it.
  // One that a look at the cluster finds after the end is not connected to: it would try for ever.
  let closed = false;
  client.on('+node', (node: Redis) => {
    hearRefusals(node, (error) => log.failed(error));
    if (closed) node.disconnect();
    else node.connect().catch(() => {});
  });
  // What it rejects with has been an `error` event, and it tries again by itself.
  client.connect().catch(() => {});
  return {
    client,
    failure: () => log.failure,
    ready: (ms) => becomesReady(client, ms),
    close() {
      closed = true;
      log.end();
      client.disconnect();
    },
  };
}

function open(
  location: RedisLocation,
  purpose: string,
  commandTimeout: number | undefined,
  log: ConnectionLog,
): RedisClient {
  const options = {
    connectionName: `tollgate-${purpose}`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    keepAlive: 5000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Whoever subscribes does so again on `ready`, and hears of a refusal, which ioredis would leave to nobody.
    autoResubscribe: false,
    maxLoadingRetryTime: LONGEST_PAUSE_MS,
    lazyConnect: true,
    username: location.username,
    password: location.password,
    commandTimeout,
    tls: location.tls ? {} : undefined,
  };
  if (location.kind === 'cluster') {
    return new Cluster([...location.nodes], {
      redisOptions: options,
      enableOfflineQueue: false,
      lazyConnect: true,
      clusterRetryStrategy: pause,
      clusterNodeRetryStrategy: pause,
      // A command whose connection was lost may have been done.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshInterval: 2000,
      ...(location.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    });
  }
  return new Redis({
    ...options,
    ...location.nodes[0],
    db: location.db,
    enableOfflineQueue: false,
    retryStrategy: pause,
    reconnectOnError: renewAfterFailover(log),
  });
}

/** A name may lead to another server after a failover, while the connection is still to the old master. */
function renewAfterFailover(log: ConnectionLog): (error: Error) => boolean {
  let renewedAt = -Infinity;
  return (error) => {
    if (explain(error).kind !== 'read_only' || performance.now() - renewedAt < RENEW_MS) return false;
    renewedAt = performance.now();
    log.renewed();
    return true;
  };
}

/** Before the next attempt to connect, in ms. Uneven, so that gateways do not come back all at once. */
function pause(attempts: number): number {
  return Math.min(50 * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

async function becomesReady(client: RedisClient, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!isReady(client)) {
    if (performance.now() >= deadline) return false;
    await sleep(CHECK_MS);
  }
  return true;
}

function isReady(client: RedisClient): boolean {
  if (client.status !== 'ready') return false;
  return client instanceof Redis || client.nodes('master').every(({ status }) => status === 'ready');
}
