/**
 * Number of connections that a gateway opens to PostgreSQL for each purpose, with their timeouts. Those of the history
 * are in `history/postgres/`.
 */
import { HOUR_MS } from '../base/time.ts';
import type { PoolOptions } from './postgres-pool.ts';

type Timeouts = Pick<PoolOptions, 'connections' | 'connectTimeoutMs' | 'statementTimeoutMs'>;

export const RECORD_TIMEOUTS: Timeouts = { connections: 6, connectTimeoutMs: 5000, statementTimeoutMs: 10_000 };
/** Lookups have short timeouts because requests wait for them. */
export const LOOK_UP_TIMEOUTS: Timeouts = { connections: 3, connectTimeoutMs: 1000, statementTimeoutMs: 1000 };
export const MIGRATION_TIMEOUTS: Timeouts = { connections: 1, connectTimeoutMs: 5000, statementTimeoutMs: HOUR_MS };
/** `tollgate database move` copies all records in one transaction. */
export const MOVE_TIMEOUTS: Timeouts = { connections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 600_000 };

/** Silence after which the connection that listens for changes counts as lost. */
export const SILENCE_MS = 3000;
/** These timeouts are short, so that a heartbeat fails before the connection counts as lost. */
export const LISTENER_TIMEOUTS: Timeouts = {
  connections: 1,
  connectTimeoutMs: 2000,
  statementTimeoutMs: SILENCE_MS - 500,
};
