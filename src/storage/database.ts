import { resolve } from 'node:path';
import type { Dialect } from './dialect.ts';
import type { Queries, Tx } from './tables.ts';

/** Called with what this or another gateway changed; null: changes may have been missed. */
export type ChangeListener = (message: string | null) => void;

/** Notifies all gateways of a change when it is committed. The message has at most 60 characters. */
export type Announce = (message: string) => void;

/**
 * `degraded`: the database responds, but accepts no changes or does not report them. `away`: it is not queried until it
 * responds again.
 */
export type DatabaseState = 'up' | 'degraded' | 'away';

/**
 * The records shared by all gateways of an installation. A call that is not possible now is rejected with
 * `StoreUnavailable`. A transaction may then have been committed or rolled back, or may still be committed, but never
 * in part.
 */
export interface Database {
  /** The differences between SQLite and PostgreSQL. */
  readonly dialect: Dialect;
  readonly state: () => DatabaseState;
  /** Why the database is not up, for operators; null while it is up. */
  readonly failure: () => string | null;
  /** Runs one query, or several that need not see the same state. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Like `read`, but for lookups that a request waits for. It has shorter timeouts and its own connections, so that
   * reports cannot use them up.
   */
  lookUp<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Does all of the work or none of it. The work may run several times (deadlocks), so it must change nothing but the
   * database. It must await nothing but queries, because on SQLite everything else waits for it.
   */
  transaction<T>(work: (tx: Tx, announce: Announce) => Promise<T>): Promise<T>;
  /** If this gateway made the change, listeners are called before the promise of its transaction resolves. */
  onChange(listener: ChangeListener): void;
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

/** Location of the records. A URL may contain a password: do not log it. */
export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads `sqlite:FILE` (relative to the data directory) or `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE` with
 * reserved characters percent-encoded.
 *
 * @returns null if the text is neither
 */
export function parseDatabase(text: string, dataDir: string): DatabaseLocation | null {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(dataDir, file) };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { pathname, username, password } = new URL(text);
  if (pathname.length < 2 || !isName(username) || !isName(password)) return null;
  return { kind: 'postgres', url: text };
}

/** Whether a part of a URL can be decoded to text without NUL, because PostgreSQL's protocol ends strings with NUL. */
function isName(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0');
  } catch {
    return false;
  }
}
