import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { waitAtMost } from '../base/awaitable.ts';
import { serverNames } from '../base/host-names.ts';
import { explainPostgresError, isServerError } from './postgres-errors.ts';
import { withFixedTlsMode } from './postgres-tls.ts';

export interface PoolOptions {
  readonly url: string;
  /** Part of the connections' name in `pg_stat_activity`. */
  readonly purpose: string;
  readonly connections: number;
  /** Maximum time that a caller waits for a connection, whether new or idle. */
  readonly connectTimeoutMs: number;
  /** Maximum time that a statement may take. */
  readonly statementTimeoutMs: number;
}

/**
 * Extra time that the client waits beyond the server's own timeout. The server thus cancels a slow statement first, and
 * the connection can be kept.
 */
const RESPONSE_GRACE_MS = 500;
const IDLE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1000;

const INT8 = 20;

/** Parses a BIGINT. @throws RangeError beyond 2^53, because the result would be rounded */
function parseExactInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is too large for a number: select it as text`);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? parseExactInteger : pg.types.getTypeParser(oid, format),
};

/** The client's settings for a connection, with a limit for every wait. */
export function createClientConfig({
  url,
  purpose,
  connectTimeoutMs,
  statementTimeoutMs,
}: PoolOptions): pg.ClientConfig {
  return {
    connectionString: withFixedTlsMode(url),
    application_name: `tollgate-${purpose}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    types,
  };
}

/** A socket that resolves host names by `serverNames`, so that a slow lookup does not delay others. */
export class PostgresSocket extends Socket {
  // pg calls this overload, either with the folder of a Unix socket or with port and host.
  override connect(...given: unknown[]): this {
    const [port, host] = given;
    if (typeof host === 'string') return super.connect({ port: Number(port), host, lookup: serverNames.lookup });
    return super.connect(String(port));
  }
}

/** A client that ignores the `error` event of a lost connection. The next query fails anyway. */
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
 * Creates a pool for Kysely that translates errors (see `explainPostgresError`). It discards a connection after a query
 * that got no response.
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
    ...createClientConfig(options),
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
        return guardClient(await pool.connect());
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

function guardClient(client: pg.PoolClient): PostgresPoolClient {
  let brokenError: unknown;
  const query = async (text: string, values: readonly unknown[]) => {
    // Fail immediately. Otherwise, a rollback would wait behind the query without a response.
    if (brokenError !== undefined) throw brokenError;
    try {
      return await client.query(text, values as unknown[]);
    } catch (error) {
      const explained = explainPostgresError(error);
      if (!isServerError(error)) brokenError = explained;
      throw explained;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'] & (() => Promise<PostgresQueryResult<never>>),
    release: (destroy = false) => client.release(destroy || brokenError !== undefined),
  };
}
