import { Cluster, Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StartError } from '../../base/error-types.ts';
import { serverNames } from '../../base/host-names.ts';
import { explainRedisError, type Failure } from './redis-failure.ts';
import { RedisConnector } from './redis-connector.ts';
import { describeLocation, parseRedisUrl, type RedisLocation } from './redis-url.ts';

export type RedisClient = Redis | Cluster;

interface ConnectionOptions {
  /** A URL as in `TOLLGATE_STORE`. */
  readonly url: string;
  /** The purpose of the connection, which is its name in the log and in Redis's `CLIENT LIST`. */
  readonly purpose: string;
  readonly logger: Logger;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** The reason why the connection cannot accept commands, if known. */
  readonly failure: () => Failure | null;
  /** Waits until the connection can accept commands. Resolves to false if that takes longer than `ms`. */
  readonly ready: (ms: number) => Promise<boolean>;
  readonly close: () => void;
}

/** Silence after which a connection with pending commands counts as dead and is replaced. */
const SILENCE_MS = 1000;
const CONNECT_TIMEOUT_MS = 1000;
const MAX_RETRY_DELAY_MS = 500;
const READY_POLL_MS = 10;
/** Minimum time between two reconnects because the server accepts no writes. */
const MIN_RENEW_INTERVAL_MS = 1000;

/**
 * Opens a connection that reconnects whenever it is lost. While it is down, commands are not queued but rejected
 * immediately. A command is never sent twice, because the first one may have been executed.
 *
 * @throws StartError if the URL is invalid
 */
export function connectRedis({ url, purpose, logger }: ConnectionOptions): RedisConnection {
  const location = parseRedisUrl(url);
  if (location === null) {
    throw new StartError(
      'the Redis URL is not valid: use redis://[USER:PASSWORD@]HOST:PORT, rediss:// with the same, or ' +
        'redis-cluster://HOST:PORT,HOST:PORT; percent-encode reserved characters in the password',
    );
  }
  const log = new ConnectionLog(logger.child({ connection: purpose, redis: describeLocation(location) }));
  const client = open(location, purpose, log);
  if (client instanceof Redis) listenForRefusals(client, (error) => log.failed(error));
  client.on('error', (error: unknown) => log.failed(error));
  client.on('node error', (error: unknown) => log.nodeFailed(error));
  client.on('close', () => log.closed());
  client.on('ready', () => log.ready());
  // Connect to each discovered node now. Otherwise, the cluster client would connect on the first command, and reject
  // other commands until then. Disconnect a node that is discovered after `close`, because it would retry forever.
  let closed = false;
  client.on('+node', (node: Redis) => {
    listenForRefusals(node, (error) => log.failed(error));
    if (closed) node.disconnect();
    else node.connect().catch(() => {});
  });
  // Ignore the rejection, because it was also reported as an `error` event, and the client retries by itself.
  client.connect().catch(() => {});
  return {
    client,
    failure: () => log.failure,
    ready: (ms) => waitUntilReady(client, ms),
    close() {
      closed = true;
      log.end();
      client.disconnect();
    },
  };
}

function open(location: RedisLocation, purpose: string, log: ConnectionLog): RedisClient {
  const options = {
    connectionName: `tollgate-${purpose}`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    keepAlive: 5000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Subscribers subscribe again themselves on `ready`, because a rejection inside ioredis would be unhandled.
    autoResubscribe: false,
    maxLoadingRetryTime: MAX_RETRY_DELAY_MS,
    lazyConnect: true,
    username: location.username,
    password: location.password,
    tls: location.tls ? {} : undefined,
    Connector: RedisConnector,
  };
  if (location.kind === 'cluster') {
    return new Cluster([...location.nodes], {
      redisOptions: options,
      enableOfflineQueue: false,
      lazyConnect: true,
      clusterRetryStrategy: retryDelayMs,
      clusterNodeRetryStrategy: retryDelayMs,
      // Never retry: a command whose connection was lost may have been executed.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshInterval: 2000,
      dnsLookup: location.tls
        ? (host, done) => done(null, host)
        : (host, done) =>
            serverNames.lookup(host, {}, (error, address) => done(error, typeof address === 'string' ? address : '')),
    });
  }
  return new Redis({
    ...options,
    ...location.nodes[0],
    db: location.db,
    enableOfflineQueue: false,
    retryStrategy: retryDelayMs,
    reconnectOnError: createRenewAfterFailover(log),
  });
}

/**
 * Decides whether an error calls for a new connection. After a failover, the host name may resolve to the new master,
 * while the connection is still to the old one.
 */
function createRenewAfterFailover(log: ConnectionLog): (error: Error) => boolean {
  let renewedAt = -Infinity;
  return (error) => {
    if (explainRedisError(error).kind !== 'read_only' || performance.now() - renewedAt < MIN_RENEW_INTERVAL_MS)
      return false;
    renewedAt = performance.now();
    log.renewed();
    return true;
  };
}

/** Delay before the next attempt to connect, with jitter so that gateways do not all reconnect at once. */
function retryDelayMs(attempts: number): number {
  return Math.min(50 * 2 ** Math.min(attempts, 10), MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2);
}

async function waitUntilReady(client: RedisClient, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!isReady(client)) {
    if (performance.now() >= deadline) return false;
    await sleep(READY_POLL_MS);
  }
  return true;
}

function isReady(client: RedisClient): boolean {
  if (client.status !== 'ready') return false;
  return client instanceof Redis || client.nodes('master').every(({ status }) => status === 'ready');
}

type Hello = (...args: never[]) => Promise<unknown>;

/**
 * Intercepts Redis's reply to `HELLO`, to find out why Redis refuses the connection. In protected mode, Redis sends an
 * explanation and closes the connection. Without this function, the client would print the explanation to standard
 * error at every attempt, and report only that the connection was closed.
 *
 * The commands of the handshake are corked into one write. With several writes to a connection that Redis has closed,
 * the first would succeed but the next would fail with EPIPE. That would destroy the socket before the explanation is
 * read.
 *
 * @param onRefused called with Redis's message
 */
function listenForRefusals(client: Redis, onRefused: (error: Error) => void): void {
  const { hello } = client as unknown as { hello: Hello };
  const wrappedHello: Hello = async (...args) => {
    const { stream } = client;
    stream.cork();
    process.nextTick(() => stream.uncork());
    try {
      return await hello.apply(client, args);
    } catch (error) {
      if (!(error as Error).message.startsWith('DENIED')) throw error;
      const refusal = new Error((error as Error).message.replace(/ because [^]*$/, ''));
      refusal.name = 'ReplyError';
      onRefused(refusal);
      throw refusal;
    }
  };
  Object.assign(client, { hello: wrappedHello });
}

const CLOSED_FAILURE: Failure = { kind: 'unreachable', reason: 'Redis cannot be reached (the connection was closed)' };

/**
 * Logs a line when a connection is lost or fails for a new reason, and a line when it is back. Repeated attempts are
 * not logged.
 */
class ConnectionLog {
  readonly #logger: Logger;
  #lastError: Failure | null = null;
  /** The state in the last log line. */
  #lastLogged: Failure['kind'] | 'ready' | 'nothing' = 'nothing';
  #ended = false;
  #renewing = false;

  /** The reason why there is no connection; null while there is one, and during the first attempt. */
  failure: Failure | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(error: unknown): void {
    // Keep Redis's message as the reason, because the connection reset that follows says less.
    if (this.#lastError?.kind === 'refused') return;
    this.#lastError = explainRedisError(error);
  }

  /** Notes an error of one cluster node. It becomes the reason only if the whole connection is lost. */
  nodeFailed(error: unknown): void {
    this.#lastError ??= explainRedisError(error);
  }

  closed(): void {
    const failure = this.#lastError ?? CLOSED_FAILURE;
    this.#lastError = null;
    this.failure = failure;
    if (this.#renewing) return;
    if (this.#ended || this.#lastLogged === failure.kind) return;
    this.#lastLogged = failure.kind;
    this.#logger.warn({ failure: failure.kind, reason: failure.reason }, 'Redis is unavailable; retrying');
  }

  ready(): void {
    this.#lastError = null;
    this.failure = null;
    this.#renewing = false;
    if (this.#lastLogged === 'ready' || this.#ended) return;
    this.#lastLogged = 'ready';
    this.#logger.info('connected to Redis');
  }

  /** Notes that the connection is being replaced. Nothing is logged if that succeeds. */
  renewed(): void {
    this.#renewing = true;
  }

  /** Stops logging, because the connection is being closed intentionally. */
  end(): void {
    this.#ended = true;
  }
}
