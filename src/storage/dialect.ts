import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tx } from './tables.ts';

/** Limits a search to the newest matches. */
export interface Newest {
  readonly before: number;
  /** How many matches to look for. Fewer matches may be found even if there are more. */
  readonly matches: number;
}

/** The differences between the two databases that matter to queries and migrations. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Column types. */
  readonly integer: RawBuilder<unknown>;
  readonly sequence: RawBuilder<unknown>;
  /**
   * The database's own time, in ms since the Unix epoch. It is the same for all gateways, regardless of their clocks,
   * and does not change within a statement.
   */
  readonly now: RawBuilder<number>;
  /** Clauses after the columns of a table. */
  readonly tableOptions: RawBuilder<unknown>;
  /** Waits until no other transaction holds this lock, then holds it until this transaction ends. */
  lock(tx: Tx, name: string): Promise<void>;
  /** Like `lock`, but several transactions can share the lock. */
  share(tx: Tx, name: string): Promise<void>;
  /**
   * Makes every wait for a table fail after a moment, for the rest of the transaction. Otherwise, other transactions
   * that need the table would queue behind the one that waits.
   */
  limitLockWaits(tx: Tx): Promise<void>;
  /** At the end of a SELECT: locks its rows until the transaction ends, and skips rows that others have locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /**
   * Maximum number of rows to read at once if no index has the answer, because SQLite serves nothing else in the
   * meantime; null: any number.
   */
  readonly scannedRows: number | null;
  /** The migration steps that make keys searchable. */
  readonly searchSetup: readonly RawBuilder<unknown>[];
  /** The migration steps that remove deleted keys from the search. */
  readonly searchOfDeletedKeys: readonly RawBuilder<unknown>[];
  /**
   * True for a row of `keys` whose name, owner, id or prefix contains `part`, case-insensitive, at least 3 characters.
   *
   * @param newest limits the search to the newest rows, so that a common part takes no longer than a rare one. Every
   *   row that is found is newer than the rows that are left out
   */
  matches(part: string, newest?: Newest): Expression<SqlBool>;
  /** True for a row of `keys` whose owner, or the name or address of its account, contains `part`, case-insensitive. */
  ownerMatches(part: string): Expression<SqlBool>;
  /**
   * A field of the JSON object in a text column, as text; null if there is none. The expression is literal, so that it
   * can have an index.
   */
  readonly jsonField: (column: string, field: string) => RawBuilder<string | null>;
  isUniqueViolation(error: unknown): boolean;
}

/** A LIKE pattern for text that contains a part, with PostgreSQL's default escapes. */
function containing(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** The owners of accounts whose name or address matches a LIKE pattern. */
function namedOwners(pattern: string): RawBuilder<unknown> {
  const likePattern = sql`LIKE lower(CAST(${pattern} AS TEXT)) ESCAPE '\\'`;
  return sql`SELECT owner FROM accounts WHERE lower(name) ${likePattern} OR lower(email) ${likePattern}`;
}

const UNIQUE = 2067;
const PRIMARY_KEY = 1555;

/** One process with one connection: transactions never run concurrently, so locks are not needed. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  integer: sql`INTEGER`,
  sequence: sql`INTEGER PRIMARY KEY AUTOINCREMENT`,
  now: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  tableOptions: sql`STRICT`,
  async lock() {},
  async share() {},
  async limitLockWaits() {},
  skipLocked: sql``,
  scannedRows: 10_000,
  searchSetup: [
    sql`CREATE VIRTUAL TABLE keys_search USING fts5(
      name, owner, id, prefix, content = 'keys', content_rowid = 'sequence', tokenize = 'trigram')`,
    sql`INSERT INTO keys_search (keys_search) VALUES ('rebuild')`,
    sql`CREATE TRIGGER keys_search_insert AFTER INSERT ON keys BEGIN
      INSERT INTO keys_search (rowid, name, owner, id, prefix)
      VALUES (new.sequence, new.name, new.owner, new.id, new.prefix);
    END`,
    // The name is the only searched column that can change.
    sql`CREATE TRIGGER keys_search_update AFTER UPDATE OF name ON keys BEGIN
      INSERT INTO keys_search (keys_search, rowid, name, owner, id, prefix)
      VALUES ('delete', old.sequence, old.name, old.owner, old.id, old.prefix);
      INSERT INTO keys_search (rowid, name, owner, id, prefix)
      VALUES (new.sequence, new.name, new.owner, new.id, new.prefix);
    END`,
  ],
  searchOfDeletedKeys: [
    sql`CREATE TRIGGER keys_search_delete AFTER DELETE ON keys BEGIN
      INSERT INTO keys_search (keys_search, rowid, name, owner, id, prefix)
      VALUES ('delete', old.sequence, old.name, old.owner, old.id, old.prefix);
    END`,
  ],
  matches(part, newest) {
    const phrase = `"${part.replaceAll('"', '""')}"`;
    // Without limits, SQLite would collect all rows with a common part while all requests wait.
    const bounds =
      newest === undefined ? sql`` : sql`AND rowid < ${newest.before} ORDER BY rowid DESC LIMIT ${newest.matches}`;
    return sql<SqlBool>`keys.sequence IN (SELECT rowid FROM keys_search WHERE keys_search MATCH ${phrase} ${bounds})`;
  },
  ownerMatches: (part) =>
    sql<SqlBool>`(owner LIKE ${containing(part)} ESCAPE '\\' OR owner IN (${namedOwners(containing(part))}))`,
  jsonField: (column, field) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`,
  isUniqueViolation: (error) => [UNIQUE, PRIMARY_KEY].includes((error as { errcode?: number }).errcode ?? 0),
};

/** Shorter than the timeout of a lookup, and shorter than the time after which PostgreSQL looks for deadlocks (1 s). */
const MAX_LOCK_WAIT_MS = 200;

/** Searching this many rows takes a few milliseconds. */
const NEWEST_ROWS = 2000;

/**
 * All searched fields as one text, so that one index is enough. No field contains the separator, so no match spans two
 * fields.
 */
const SEARCHED = sql`(name || chr(31) || owner || chr(31) || id || chr(31) || prefix)`;

export const postgresDialect: Dialect = {
  name: 'postgres',
  integer: sql`BIGINT`,
  // `BY DEFAULT`, because rows copied from another database have their own values.
  sequence: sql`BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY`,
  now: sql<number>`CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)`,
  tableOptions: sql``,
  async lock(tx, name) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tollgate:${name}`}, 0))`.execute(tx);
  },
  async share(tx, name) {
    await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${`tollgate:${name}`}, 0))`.execute(tx);
  },
  async limitLockWaits(tx) {
    await sql`SET LOCAL lock_timeout = ${sql.lit(MAX_LOCK_WAIT_MS)}`.execute(tx);
  },
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  scannedRows: null,
  searchSetup: [
    sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`,
    sql`CREATE INDEX keys_search ON keys USING gin (${SEARCHED} gin_trgm_ops)`,
  ],
  searchOfDeletedKeys: [],
  matches(part, newest) {
    const pattern = containing(part);
    if (newest === undefined) return sql<SqlBool>`${SEARCHED} ILIKE ${pattern}`;
    // Before the table is analyzed, the planner assumes that every part is rare and would use the index. The limit
    // prevents that.
    const rows = Math.max(newest.matches, NEWEST_ROWS);
    return sql<SqlBool>`sequence IN (
      SELECT sequence FROM (
        SELECT sequence, ${SEARCHED} AS searched FROM keys WHERE sequence < ${newest.before}
        ORDER BY sequence DESC LIMIT ${rows}
      ) AS newest WHERE searched ILIKE ${pattern})`;
  },
  ownerMatches(part) {
    const pattern = containing(part);
    // The second condition follows from the first. It is here because it has an index, which needs three characters.
    const indexed = part.length < 3 ? sql`` : sql`AND ${SEARCHED} ILIKE ${pattern}`;
    const owners = sql`SELECT owner FROM keys WHERE owner ILIKE ${pattern} ${indexed}`;
    return sql<SqlBool>`owner IN (${owners} UNION ${namedOwners(pattern)})`;
  },
  // An index needs an immutable expression. The cast to `jsonb` is immutable, but the cast to `json` is not.
  jsonField: (column, field) => sql`(CAST(${sql.ref(column)} AS jsonb) ->> ${sql.lit(field)})`,
  isUniqueViolation: (error) => (error as { code?: string }).code === '23505',
};
