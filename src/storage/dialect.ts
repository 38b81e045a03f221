import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tx } from './tables.ts';

/** Limits a search to the newest rows. */
export interface NewestRows {
  readonly before: number;
  /** Maximum number of matches. The search may find fewer even if more exist. */
  readonly matches: number;
}

/** The parts of queries and migrations that differ between the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Column types. */
  readonly integer: RawBuilder<unknown>;
  readonly sequence: RawBuilder<unknown>;
  /**
   * The database's own time, in ms since the Unix epoch. It does not depend on the clocks of the gateways, and is
   * constant within a statement.
   */
  readonly now: RawBuilder<number>;
  /** Clauses after the column list of a table. */
  readonly tableOptions: RawBuilder<unknown>;
  /** Takes a lock that this transaction holds until it ends. Waits while another transaction holds it. */
  lock(tx: Tx, name: string): Promise<void>;
  /** Like `lock`, but several transactions can share the lock. */
  lockShared(tx: Tx, name: string): Promise<void>;
  /**
   * Makes every wait for a table lock fail after a moment, for the rest of the transaction. Otherwise, all transactions
   * that need the table would queue behind the waiting one.
   */
  limitLockWaits(tx: Tx): Promise<void>;
  /**
   * A clause at the end of a SELECT that locks its rows until the transaction ends, and skips rows that other
   * transactions have locked.
   */
  readonly skipLocked: RawBuilder<unknown>;
  /**
   * Maximum number of rows that a query without a suitable index may read, because SQLite blocks everything else in the
   * meantime. Null means no limit.
   */
  readonly maxScannedRows: number | null;
  /** The migration statements that make keys searchable. */
  readonly searchSetup: readonly RawBuilder<unknown>[];
  /** The migration statements that remove deleted keys from the search. */
  readonly searchOfDeletedKeys: readonly RawBuilder<unknown>[];
  /**
   * A condition on rows of `keys`: the name, owner, id or prefix contains `part`, ignoring case. `part` has at least 3
   * characters.
   *
   * @param newest limits the search to the newest rows, so that a common part takes no longer than a rare one; any
   *   match that is left out is older than those found
   */
  matches(part: string, newest?: NewestRows): Expression<SqlBool>;
  /**
   * A condition on rows of `keys`: the owner, or the name or email address of its account, contains `part`, ignoring
   * case.
   */
  ownerMatches(part: string): Expression<SqlBool>;
  /**
   * An expression for a field of the JSON object in a text column, as text; null if there is no such field. It has no
   * parameters, so that it can be indexed.
   */
  readonly jsonField: (column: string, field: string) => RawBuilder<string | null>;
  isUniqueViolation(error: unknown): boolean;
}

/** The LIKE pattern for texts that contain a part. It is escaped by backslashes, PostgreSQL's default. */
function toContainsPattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** A query for the owners of accounts whose name or email address matches a LIKE pattern. */
function selectOwnersMatching(pattern: string): RawBuilder<unknown> {
  const likePattern = sql`LIKE lower(CAST(${pattern} AS TEXT)) ESCAPE '\\'`;
  return sql`SELECT owner FROM accounts WHERE lower(name) ${likePattern} OR lower(email) ${likePattern}`;
}

const UNIQUE_VIOLATION = 2067;
const PRIMARY_KEY_VIOLATION = 1555;

/** SQLite. It needs no locks, because transactions on its only connection never run concurrently. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  integer: sql`INTEGER`,
  sequence: sql`INTEGER PRIMARY KEY AUTOINCREMENT`,
  now: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  tableOptions: sql`STRICT`,
  async lock() {},
  async lockShared() {},
  async limitLockWaits() {},
  skipLocked: sql``,
  maxScannedRows: 10_000,
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
    // Without bounds, all requests would wait while SQLite collects every row with a common part.
    const bounds =
      newest === undefined ? sql`` : sql`AND rowid < ${newest.before} ORDER BY rowid DESC LIMIT ${newest.matches}`;
    return sql<SqlBool>`keys.sequence IN (SELECT rowid FROM keys_search WHERE keys_search MATCH ${phrase} ${bounds})`;
  },
  ownerMatches: (part) =>
    sql<SqlBool>`(owner LIKE ${toContainsPattern(part)} ESCAPE '\\' OR owner IN (${selectOwnersMatching(toContainsPattern(part))}))`,
  jsonField: (column, field) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`,
  isUniqueViolation: (error) =>
    [UNIQUE_VIOLATION, PRIMARY_KEY_VIOLATION].includes((error as { errcode?: number }).errcode ?? 0),
};

/**
 * Maximum wait for a table lock. It is shorter than the timeout of a lookup and PostgreSQL's `deadlock_timeout` (both 1
 * s).
 */
const MAX_LOCK_WAIT_MS = 200;

/** Minimum number of rows to search. This many rows take only a few milliseconds. */
const NEWEST_ROWS = 2000;

/**
 * All searched fields in one text, so that one index is enough. No field contains the separator, so a match never spans
 * two fields.
 */
const SEARCHED_TEXT = sql`(name || chr(31) || owner || chr(31) || id || chr(31) || prefix)`;

export const postgresDialect: Dialect = {
  name: 'postgres',
  integer: sql`BIGINT`,
  // `BY DEFAULT` allows explicit values, which rows copied from another database have.
  sequence: sql`BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY`,
  now: sql<number>`CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)`,
  tableOptions: sql``,
  async lock(tx, name) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tollgate:${name}`}, 0))`.execute(tx);
  },
  async lockShared(tx, name) {
    await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${`tollgate:${name}`}, 0))`.execute(tx);
  },
  async limitLockWaits(tx) {
    await sql`SET LOCAL lock_timeout = ${sql.lit(MAX_LOCK_WAIT_MS)}`.execute(tx);
  },
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  maxScannedRows: null,
  searchSetup: [
    sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`,
    sql`CREATE INDEX keys_search ON keys USING gin (${SEARCHED_TEXT} gin_trgm_ops)`,
  ],
  searchOfDeletedKeys: [],
  matches(part, newest) {
    const pattern = toContainsPattern(part);
    if (newest === undefined) return sql<SqlBool>`${SEARCHED_TEXT} ILIKE ${pattern}`;
    // Before the table is analyzed, the planner assumes that every part is rare, and would search the whole index. The
    // inner limit prevents that.
    const rowCount = Math.max(newest.matches, NEWEST_ROWS);
    return sql<SqlBool>`sequence IN (
      SELECT sequence FROM (
        SELECT sequence, ${SEARCHED_TEXT} AS searched FROM keys WHERE sequence < ${newest.before}
        ORDER BY sequence DESC LIMIT ${rowCount}
      ) AS newest WHERE searched ILIKE ${pattern})`;
  },
  ownerMatches(part) {
    const pattern = toContainsPattern(part);
    // The second condition is redundant, but it can use the trigram index, which needs three characters.
    const indexedCondition = part.length < 3 ? sql`` : sql`AND ${SEARCHED_TEXT} ILIKE ${pattern}`;
    const owners = sql`SELECT owner FROM keys WHERE owner ILIKE ${pattern} ${indexedCondition}`;
    return sql<SqlBool>`owner IN (${owners} UNION ${selectOwnersMatching(pattern)})`;
  },
  // An index needs an immutable expression. The cast to `jsonb` is immutable, but the cast to `json` is not.
  jsonField: (column, field) => sql`(CAST(${sql.ref(column)} AS jsonb) ->> ${sql.lit(field)})`,
  isUniqueViolation: (error) => (error as { code?: string }).code === '23505',
};
