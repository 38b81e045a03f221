import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tx } from './tables.ts';

/** Limits a search to the newest matches. */
export interface Newest {
  readonly before: number;
  /** How many matches to look for. There may be more, and fewer may be found although there are more. */
  readonly matches: number;
}

/** The differences between the two databases that queries and migrations see. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Column types. */
  readonly integer: RawBuilder<unknown>;
  readonly sequence: RawBuilder<unknown>;
  /**
   * The database's own time, in ms since the Unix epoch: the same for all gateways, regardless of their clocks, and for
   * a whole statement.
   */
  readonly now: RawBuilder<number>;
  /** Clauses after the columns of a table. */
  readonly tableOptions: RawBuilder<unknown>;
  /** Waits until no other transaction holds this lock, then holds it until this one ends. */
  lock(tx: Tx, name: string): Promise<void>;
  /** Like `lock`, but shared with others who share it. */
  share(tx: Tx, name: string): Promise<void>;
  /**
   * For the rest of the transaction, waiting for a table fails after a moment. Others that need the table queue behind
   * the one that waits.
   */
  limitLockWaits(tx: Tx): Promise<void>;
  /** At the end of a SELECT: locks its rows until the transaction ends, and skips rows that others have locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /**
   * Rows to read at once where no index has the answer; null: any number. SQLite serves nothing else during these
   * milliseconds.
   */
  readonly scannedRows: number | null;
  /** The migration steps that make keys searchable. */
  readonly searchSetup: readonly RawBuilder<unknown>[];
  /** The migration steps after which a deleted key is no longer found. */
  readonly searchOfDeletedKeys: readonly RawBuilder<unknown>[];
  /**
   * True for a row of `keys` whose name, owner, id or prefix contains `part`, case-insensitive, at least 3 characters.
   *
   * @param newest looks at the newest rows only, so that a common part takes no longer than a rare one: what it finds
   *   is newer than everything that it does not
   */
  matches(part: string, newest?: Newest): Expression<SqlBool>;
  /** True for a row of `keys` whose owner, or the name or address of its account, contains `part`, case-insensitive. */
  ownerMatches(part: string): Expression<SqlBool>;
  /** A field of the JSON object in a text column, as text; null if there is none. Literal, so that it can have an index. */
  readonly jsonField: (column: string, field: string) => RawBuilder<string | null>;
  isUniqueViolation(error: unknown): boolean;
}

/** A LIKE pattern for text that contains a part, with PostgreSQL's default escapes. */
function containing(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** The owners of accounts whose name or address is like a pattern. */
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
    // Without limits, a common part would collect all its rows while all requests wait.
    const bounds =
      newest === undefined ? sql`` : sql`AND rowid < ${newest.before} ORDER BY rowid DESC LIMIT ${newest.matches}`;
    return sql<SqlBool>`keys.sequence IN (SELECT rowid FROM keys_search WHERE keys_search MATCH ${phrase} ${bounds})`;
  },
  ownerMatches: (part) =>
    sql<SqlBool>`(owner LIKE ${containing(part)} ESCAPE '\\' OR owner IN (${namedOwners(containing(part))}))`,
  jsonField: (column, field) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`,
  isUniqueViolation: (error) => [UNIQUE, PRIMARY_KEY].includes((error as { errcode?: number }).errcode ?? 0),
};

/** Shorter than the timeout of a lookup, and than the time after which PostgreSQL looks for deadlocks (1 s). */
const MAX_LOCK_WAIT_MS = 200;

/** Takes a few milliseconds. */
const NEWEST_ROWS = 2000;

/** One text, so that one index is enough. No field contains the separator, so no match spans two fields. */
const SEARCHED = sql`(name || chr(31) || owner || chr(31) || id || chr(31) || prefix)`;

export const postgresDialect: Dialect = {
  name: 'postgres',
  integer: sql`BIGINT`,
  // `BY DEFAULT`, because rows copied from another database bring their own.
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
    // The limit keeps the planner from using the index: before the table is analysed, it assumes that every part is
    // rare.
    const rows = Math.max(newest.matches, NEWEST_ROWS);
    return sql<SqlBool>`sequence IN (
      SELECT sequence FROM (
        SELECT sequence, ${SEARCHED} AS searched FROM keys WHERE sequence < ${newest.before}
        ORDER BY sequence DESC LIMIT ${rows}
      ) AS newest WHERE searched ILIKE ${pattern})`;
  },
  ownerMatches(part) {
    const pattern = containing(part);
    // The second condition follows from the first, and has an index, which needs three characters.
    const indexed = part.length < 3 ? sql`` : sql`AND ${SEARCHED} ILIKE ${pattern}`;
    const owners = sql`SELECT owner FROM keys WHERE owner ILIKE ${pattern} ${indexed}`;
    return sql<SqlBool>`owner IN (${owners} UNION ${namedOwners(pattern)})`;
  },
  // Unlike that to `json`, the cast to `jsonb` is immutable.
  jsonField: (column, field) => sql`(CAST(${sql.ref(column)} AS jsonb) ->> ${sql.lit(field)})`,
  isUniqueViolation: (error) => (error as { code?: string }).code === '23505',
};
