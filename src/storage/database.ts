import type { Dialect } from './dialect.ts';
import type { Queries, Tx } from './queries.ts';

/** Called with what this gateway and others changed; null: something may have been missed. */
export type ChangeListener = (message: string | null) => void;

/** Tells all gateways about a change once it is committed. The message has at most 60 characters. */
export type Announce = (message: string) => void;

/**
 * `degraded`: it answers but takes no changes, or does not report them. `away`: not queried until it answers again.
 */
export type DatabaseState = 'up' | 'degraded' | 'away';

/**
 * The records shared by all gateways of an installation. What it cannot do now is rejected with `StoreUnavailable`: a
 * transaction may then have been made, not made, or may still be made, but never in part.
 */
export interface Database {
  /** What differs between SQLite and PostgreSQL. */
  readonly dialect: Dialect;
  readonly state: () => DatabaseState;
  /** Why it is not up, for people; null while it is. */
  readonly failure: () => string | null;
  /** Runs one query, or several that need not see the same state. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Like `read`, for what a request waits for: shorter timeouts, and connections that reports cannot use up. */
  lookUp<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * All of the work or none of it. The work may run several times (deadlocks), so it must change nothing but the
   * database, and await nothing but queries: on SQLite, everybody else waits for it.
   */
  transaction<T>(work: (tx: Tx, announce: Announce) => Promise<T>): Promise<T>;
  /** For a change made here, listeners are called before its transaction's promise resolves. */
  onChange(listener: ChangeListener): void;
  close(): Promise<void>;
}
