import { type RawBuilder, sql } from 'kysely';
import { StartError } from '../base/error-types.ts';
import type { Queries, Tx } from './queries.ts';
import type { Dialect } from './dialect.ts';
import { accountTables } from './tables/account-tables.ts';
import { eventTables } from './tables/event-tables.ts';
import { historyTables } from './tables/history-tables.ts';

interface Migration {
  /** Never reused: the database records applied steps by this name. */
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly RawBuilder<unknown>[];
}

/**
 * The migration steps, for both databases. A released step is never edited: a change is a new step at the end. A new
 * table also needs a row type in `tables.ts`.
 */
export const migrations: readonly Migration[] = [
  { name: '0001 keys, plans, audit', statements: firstTables },
  {
    name: '0002 rotation chains',
    statements: () => [
      sql`ALTER TABLE keys ADD COLUMN chain TEXT NOT NULL DEFAULT ''`,
      sql`UPDATE keys SET chain = quota_id`,
      sql`CREATE INDEX keys_by_chain ON keys (chain, sequence)`,
      sql`CREATE INDEX keys_by_status ON keys (status, sequence)`,
    ],
  },
  { name: '0003 search of keys', statements: ({ searchSetup }) => searchSetup },
  { name: '0004 sessions', statements: sessionTables },
  {
    name: '0005 history',
    // With SQLite, the history has a file of its own.
    statements: ({ name }) => (name === 'sqlite' ? [] : historyTables(name).map((text) => sql.raw(text))),
  },
  { name: '0006 gateways, owners', statements: gatewaysAndOwners },
  { name: '0007 accounts', statements: accountTables },
  { name: '0008 events, webhooks', statements: eventTables },
  {
    name: '0009 deliveries by when they are due',
    statements: () => [sql`CREATE INDEX deliveries_next ON deliveries (due_at) WHERE status = 'pending'`],
  },
];

function firstTables({ integer, sequence, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE plans (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL,
      minute_limit ${integer}, day_limit ${integer}, custom ${integer} NOT NULL,
      mode TEXT NOT NULL, on_store_failure TEXT NOT NULL, revision ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE TABLE keys (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL, owner TEXT NOT NULL, plan TEXT NOT NULL,
      minute_limit ${integer}, day_limit ${integer}, status TEXT NOT NULL, metadata TEXT NOT NULL,
      prefix TEXT NOT NULL, last_four TEXT NOT NULL, created_at ${integer} NOT NULL,
      expires_at ${integer}, last_used_at ${integer}, quota_id TEXT NOT NULL, rotated_to TEXT,
      revision ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX keys_by_owner ON keys (owner, sequence)`,
    sql`CREATE INDEX keys_by_plan ON keys (plan, sequence)`,
    sql`CREATE TABLE audit (
      sequence ${sequence}, at ${integer} NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
      subject TEXT NOT NULL, reason TEXT, "before" TEXT, "after" TEXT
    ) ${tableOptions}`,
    sql`CREATE INDEX audit_by_subject ON audit (subject, sequence)`,
    sql`CREATE INDEX audit_by_actor ON audit (actor, sequence)`,
    sql`CREATE INDEX audit_by_action ON audit (action, sequence)`,
    sql`CREATE TABLE claims (name TEXT PRIMARY KEY, at ${integer} NOT NULL) ${tableOptions}`,
  ];
}

function sessionTables({ integer, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE sessions (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, method TEXT NOT NULL,
      token_hash TEXT, issuer TEXT, claims TEXT, address TEXT NOT NULL, user_agent TEXT NOT NULL,
      created_at ${integer} NOT NULL, seen_at ${integer} NOT NULL, expires_at ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX sessions_by_name ON sessions (name, seen_at)`,
    sql`CREATE TABLE sign_in_links (
      hash TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash TEXT NOT NULL, expires_at ${integer} NOT NULL
    ) ${tableOptions}`,
  ];
}

function gatewaysAndOwners({ integer, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE gateways (
      id TEXT PRIMARY KEY, host TEXT NOT NULL, version TEXT NOT NULL,
      started_at ${integer} NOT NULL, seen_at ${integer} NOT NULL, stopped_at ${integer}
    ) ${tableOptions}`,
    // Owners are counted from the index alone.
    sql`CREATE INDEX keys_by_owner_and_status ON keys (owner, status)`,
  ];
}

/**
 * Brings the tables up to date in one transaction. If several gateways start at once, one does it and the others wait.
 *
 * @returns the names of the steps that were missing
 * @throws StartError if a newer Tollgate has migrated the database already
 */
export function migrate(queries: Queries, dialect: Dialect): Promise<string[]> {
  return queries.transaction().execute(async (tx) => {
    await dialect.lock(tx, 'migrations');
    await sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) ${dialect.tableOptions}`.execute(tx);
    const done = await appliedSteps(tx);
    refuseNewer(done);
    const missing = migrations.filter(({ name }) => !done.has(name));
    for (const { name, statements } of missing) {
      for (const statement of statements(dialect)) await statement.execute(tx);
      await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(tx);
    }
    return missing.map(({ name }) => name);
  });
}

async function appliedSteps(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}

function refuseNewer(done: ReadonlySet<string>): void {
  const unknown = [...done].find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown === undefined) return;
  throw new StartError(
    `the database was migrated by a newer Tollgate (to "${unknown}", which this one does not know): start the newer ` +
      'version, or point TOLLGATE_DATABASE to another database',
  );
}
