import { resolve } from 'node:path';
import type { Dialect } from './dialect.ts';
import type { Queries, Tx } from './tables.ts';

/** Called with the message of a change by this or another gateway. Null means that changes may have been missed. */
export type ChangeListener = (message: string | null) => void;

/** Announces a change to all gateways when its transaction commits. The message has at most 60 characters. */
export type Announce = (message: string) => void;

/**
 * `degraded`: the database responds, but accepts no changes, or has no connection left for reporting them. `away`: it
 * does not respond, and calls are rejected until it does.
 */
export type DatabaseState = 'up' | 'degraded' | 'away';

/**
 * The records shared by all gateways of an installation. While the database cannot be used, calls are rejected with
 * `StoreUnavailable`. A transaction that was rejected like this may have been committed anyway, or may still be, but
 * never in part.
 */
export interface Database {
  /** The differences between SQLite and PostgreSQL. */
  readonly dialect: Dialect;
  readonly state: () => DatabaseState;
  /** The reason, for operators, why the database is not up; null while it is up. */
  readonly failure: () => string | null;
  /** Runs one query, or several queries that need not see the same state. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Like `read`, for lookups that a request waits for. It has shorter timeouts, and connections of its own that reports
   * cannot use up.
   */
  lookUp<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs the work in a transaction. After a deadlock, the work runs again, so it must have no effects outside the
   * database. It must await only queries, because on SQLite all other queries wait until it ends.
   */
  transaction<T>(work: (tx: Tx, announce: Announce) => Promise<T>): Promise<T>;
  /**
   * Adds a listener. For a change by this gateway, listeners are called before the promise of the transaction resolves.
   */
  onChange(listener: ChangeListener): void;
  /**
   * The time, by `performance.now()`, up to which listeners know every change by any gateway, or know that they may have
   * missed some. It stands still while announcements do not arrive. Infinity if only this process makes changes.
   */
  heardUntil(): number;
  close(): Promise<void>;
}

/** The listeners for changes. */
export class Announcements {
  readonly #listeners: ChangeListener[] = [];

  add(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  notify(messages: readonly (string | null)[]): void {
    for (const message of messages) {
      for (const listener of this.#listeners) listener(message);
    }
  }
}

/** The location of the records. A URL may contain a password: do not log it. */
export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };

/**
 * Parses `sqlite:FILE` (relative to the data directory) or `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`, with
 * reserved characters percent-encoded.
 *
 * @returns null if the text is neither
 */
export function parseDatabase(text: string, dataDir: string): DatabaseLocation | null {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(dataDir, file) };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { pathname, username, password } = new URL(text);
  if (pathname.length < 2 || !isDecodable(username) || !isDecodable(password)) return null;
  return { kind: 'postgres', url: text };
}

/** Whether a part of a URL can be decoded and contains no NUL, which would end a string in PostgreSQL's protocol. */
function isDecodable(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0');
  } catch {
    return false;
  }
}
