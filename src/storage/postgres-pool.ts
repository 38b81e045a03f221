import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { waitAtMost } from '../base/awaitable.ts';
import { serverNames } from '../base/host-names.ts';
import { explainPostgresError, isAnswer } from './postgres-errors.ts';
import { withFixedTlsMode } from './postgres-tls.ts';

export interface PoolOptions {
  readonly url: string;
  /** Names the connections in `pg_stat_activity`. */
  readonly purpose: string;
  readonly connections: number;
  /** How long a caller waits for a connection, whether new or idle. */
  readonly connectTimeoutMs: number;
  /** How long a statement may take. */
  readonly statementTimeoutMs: number;
}

/**
 * Extra time for the response. The server cancels a slow statement before this time ends, so its connection can be
 * kept.
 */
const ANSWER_GRACE_MS = 500;
const IDLE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1000;

const INT8 = 20;

/** Parses an integer. @throws RangeError beyond 2^53, because the result would be rounded */
function exactInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is too large for a number: select it as text`);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? exactInteger : pg.types.getTypeParser(oid, format),
};

/** Settings for a connection on which every wait has a limit. */
export function clientConfig({ url, purpose, connectTimeoutMs, statementTimeoutMs }: PoolOptions): pg.ClientConfig {
  return {
    connectionString: withFixedTlsMode(url),
    application_name: `tollgate-${purpose}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    types,
  };
}

/** A socket that resolves the host name without delaying the other lookups of the process. */
export class PostgresSocket extends Socket {
  // pg calls this overload, either with the folder of a Unix socket or with port and host.
  override connect(...given: unknown[]): this {
    const [port, host] = given;
    if (typeof host === 'string') return super.connect({ port: Number(port), host, lookup: serverNames.lookup });
    return super.connect(String(port));
  }
}

/** A client that ignores the loss of its connection, even while idle, because the next query on it fails anyway. */
class SafeClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

export interface BoundedPool extends PostgresPool {
  /** Closes all connections. Pending queries fail immediately. */
  disconnect(): void;
}

/**
 * A pool for Kysely that explains its errors (see `explainPostgresError`). After a query without an answer, its
 * connection is never used again.
 */
export function createPool(options: PoolOptions): BoundedPool {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new PostgresSocket();
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    return socket;
  };
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const pool = new pg.Pool({
    ...clientConfig(options),
    stream,
    Client: SafeClient,
    max: options.connections,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  pool.on('error', () => {});
  return {
    options: {},
    async connect() {
      try {
        return guarded(await pool.connect());
      } catch (error) {
        throw explainPostgresError(error);
      }
    },
    async end() {
      await waitAtMost(CLOSE_TIMEOUT_MS, pool.end());
      disconnect();
    },
    disconnect,
  };
}

function guarded(client: pg.PoolClient): PostgresPoolClient {
  let broken: unknown;
  const query = async (text: string, values: readonly unknown[]) => {
    // Otherwise, a rollback would wait behind the unanswered query.
    if (broken !== undefined) throw broken;
    try {
      return await client.query(text, values as unknown[]);
    } catch (error) {
      const explained = explainPostgresError(error);
      if (!isAnswer(error)) broken = explained;
      throw explained;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'] & (() => Promise<PostgresQueryResult<never>>),
    release: (destroy = false) => client.release(destroy || broken !== undefined),
  };
}
