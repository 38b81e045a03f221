import type { Dialect } from './dialect.ts';
import type { Queries, Tx } from './queries.ts';

/** Hears what other gateways and this one changed; null: something may have been missed. */
export type ChangeListener = (message: string | null) => void;

/** Tells all gateways of a change, once it is committed: in at most 60 characters. */
export type Announce = (message: string) => void;

/**
 * `degraded`: it answers, but takes no changes, or tells of none. `away`: nothing is asked of it until it answers again.
 */
export type DatabaseState = 'up' | 'degraded' | 'away';

/**
 * The records of all gateways of an installation. Whatever it cannot do now is a `StoreUnavailable`: a transaction
 * then was made or not, or may still be made, but never by halves.
 */
export interface Database {
  /** What differs between SQLite and PostgreSQL. */
  readonly dialect: Dialect;
  readonly state: () => DatabaseState;
  /** Runs one query. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** As `read`, for what a request waits for: shorter timeouts, and connections that no report takes away. */
  lookUp<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * All of the work or nothing of it. It may run several times (deadlocks), so it changes nothing but the database,
   * and it awaits nothing but queries: on SQLite, everybody else waits for it.
   */
  transaction<T>(work: (tx: Tx, announce: Announce) => Promise<T>): Promise<T>;
  /** For a change made here, listeners are called before the promise of its transaction resolves. */
  onChange(listener: ChangeListener): void;
  close(): Promise<void>;
}
