import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { StartError } from '../base/error-types.ts';
import type { Queries, Tx } from './tables.ts';
import type { Dialect } from './dialect.ts';
import {
  addClientErrorColumns,
  createHistoryTables,
  createRepeatedRefusals,
  FILL_VIOLATION_DAYS,
  violationDayTables,
  violationTables,
} from './history-tables.ts';

interface Migration {
  /** A unique name that never changes, because the database records applied steps by it. */
  readonly name: string;
  /**
   * The step only adds tables, and columns that are nullable or have a default. So the previous version can work with
   * the database after this step. If a step is not additive, versions without it refuse the database.
   */
  readonly additive?: true;
  readonly statements: (dialect: Dialect) => readonly RawBuilder<unknown>[];
}

/**
 * The migration steps, for both databases. Never edit a released step: add a new step at the end. A new table also
 * needs a row type in `tables.ts`.
 */
export const migrations: readonly Migration[] = [
  { name: '0001 keys, plans, audit', statements: createFirstTables },
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
  { name: '0004 sessions', statements: createSessionTables },
  {
    name: '0005 history',
    // With SQLite, the history has a separate file.
    statements: ({ name }) => (name === 'sqlite' ? [] : createHistoryTables(name).map((text) => sql.raw(text))),
  },
  { name: '0006 gateways, owners', statements: createGatewaysAndOwners },
  { name: '0007 accounts', statements: createAccountTables },
  { name: '0008 events, webhooks', statements: createEventTables },
  {
    name: '0009 deliveries by when they are due',
    statements: () => [sql`CREATE INDEX deliveries_next ON deliveries (due_at) WHERE status = 'pending'`],
  },
  {
    name: '0010 limits per month',
    statements: ({ integer }) => [
      sql`ALTER TABLE plans ADD COLUMN month_limit ${integer}`,
      sql`ALTER TABLE keys ADD COLUMN month_limit ${integer}`,
    ],
  },
  {
    name: '0011 operations and addresses of keys',
    statements: () => [
      sql`ALTER TABLE plans ADD COLUMN operations TEXT`,
      sql`ALTER TABLE keys ADD COLUMN operations TEXT`,
      sql`ALTER TABLE keys ADD COLUMN addresses TEXT`,
    ],
  },
  {
    name: '0012 keys of other gateways',
    statements: ({ integer }) => [
      sql`ALTER TABLE keys ADD COLUMN external_id TEXT`,
      sql`ALTER TABLE keys ADD COLUMN foreign_secret ${integer} NOT NULL DEFAULT 0`,
      sql`CREATE UNIQUE INDEX keys_by_external_id ON keys (owner, external_id) WHERE external_id IS NOT NULL`,
      sql`CREATE INDEX keys_with_foreign_secret ON keys (sequence) WHERE foreign_secret = 1`,
    ],
  },
  { name: '0013 bulk changes', statements: createBulkTables },
  {
    name: '0014 client errors in the history',
    statements: ({ name }) => (name === 'sqlite' ? [] : addClientErrorColumns(name).map((text) => sql.raw(text))),
  },
  {
    name: '0015 rotations that end when the old key is quiet',
    statements: ({ integer }) => [
      sql`ALTER TABLE keys ADD COLUMN quiet_since ${integer}`,
      sql`ALTER TABLE keys ADD COLUMN last_used_from TEXT`,
      sql`ALTER TABLE keys ADD COLUMN unreported_until ${integer}`,
      sql`CREATE INDEX keys_to_be_quiet ON keys (sequence) WHERE quiet_since IS NOT NULL`,
      sql`ALTER TABLE gateways ADD COLUMN uses_reported_at ${integer}`,
    ],
  },
  {
    name: '0016 sorted lists of keys',
    statements: () => [
      sql`CREATE INDEX keys_by_name ON keys (lower(name), sequence)`,
      sql`CREATE INDEX keys_by_plan_and_status ON keys (plan, status)`,
      sql`CREATE INDEX keys_by_end ON keys (coalesce(expires_at, 9007199254740991), sequence)`,
    ],
  },
  { name: '0017 account requests', statements: createAccountRequestTable },
  {
    name: '0018 prices of plans',
    statements: () => [sql`ALTER TABLE plans ADD COLUMN price_text TEXT NOT NULL DEFAULT ''`],
  },
  {
    name: '0019 sorted lists of accounts and webhooks',
    statements: () => [
      sql`CREATE INDEX accounts_by_name ON accounts (lower(name), sequence)`,
      sql`CREATE INDEX accounts_by_email ON accounts (coalesce(email, ''), sequence)`,
      sql`CREATE INDEX accounts_by_last_sign_in ON accounts (coalesce(last_sign_in_at, 0), sequence)`,
      sql`CREATE INDEX webhooks_by_name ON webhooks
        (lower(CASE WHEN description = '' THEN url ELSE description END), sequence)`,
      sql`CREATE INDEX webhooks_by_state ON webhooks
        ((CASE WHEN status = 'enabled' AND failing_since IS NOT NULL THEN 'failing' ELSE status END), sequence)`,
      sql`CREATE INDEX failing_webhooks ON webhooks (sequence) WHERE status = 'enabled' AND failing_since IS NOT NULL`,
    ],
  },
  {
    name: '0020 bans by their end',
    statements: ({ jsonField }) => {
      const end = sql`(CASE WHEN action = 'ban.start' THEN ${jsonField('after', 'until')} END)`;
      return [sql`CREATE INDEX bans_by_end ON audit (${end}) WHERE ${end} IS NOT NULL`];
    },
  },
  {
    name: '0021 keys skipped by bulk changes',
    statements: ({ integer }) => [sql`ALTER TABLE bulk_changes ADD COLUMN skipped ${integer} NOT NULL DEFAULT 0`],
  },
  {
    name: '0022 messages of bans',
    additive: true,
    statements: () => [
      sql`ALTER TABLE audit ADD COLUMN message TEXT`,
      sql`ALTER TABLE bulk_changes ADD COLUMN message TEXT`,
    ],
  },
  {
    name: '0023 ids of repeated refusals',
    additive: true,
    statements: ({ name }) => (name === 'sqlite' ? [] : createRepeatedRefusals(name).map((text) => sql.raw(text))),
  },
  {
    name: '0024 deletion of ended keys',
    additive: true,
    statements: ({ searchOfDeletedKeys }) => [
      // This index counts the usable keys of an account without reading its expired and revoked keys.
      sql`CREATE INDEX keys_not_revoked ON keys (quota_id, coalesce(expires_at, 9007199254740991))
        WHERE status <> 'revoked'`,
      ...searchOfDeletedKeys,
    ],
  },
  {
    name: '0025 concurrent requests',
    additive: true,
    statements: ({ integer }) => [
      sql`ALTER TABLE plans ADD COLUMN concurrent ${integer}`,
      sql`ALTER TABLE keys ADD COLUMN concurrent ${integer}`,
    ],
  },
  {
    name: '0026 callers with access tokens',
    additive: true,
    statements: ({ integer, tableOptions }) => [
      sql`ALTER TABLE keys ADD COLUMN token_name TEXT`,
      sql`ALTER TABLE keys ADD COLUMN token_issuer TEXT`,
      sql`ALTER TABLE keys ADD COLUMN token_claim TEXT`,
      sql`ALTER TABLE keys ADD COLUMN token_caller TEXT`,
      sql`ALTER TABLE keys ADD COLUMN token_operations TEXT`,
      // Versions without callers would give a successor this chain. They report the violation as a conflict.
      sql`CREATE UNIQUE INDEX chains_of_callers ON keys (chain) WHERE substr(chain, 1, 6) = 'token:'`,
      sql`CREATE INDEX callers_by_issuer ON keys (token_issuer, sequence) WHERE token_issuer IS NOT NULL`,
      sql`CREATE INDEX callers ON keys (sequence) WHERE token_issuer IS NOT NULL`,
      sql`CREATE TABLE token_issuers (issuer TEXT PRIMARY KEY, configured_at ${integer} NOT NULL) ${tableOptions}`,
    ],
  },
  {
    name: '0027 validation',
    additive: true,
    statements: ({ name }) => [
      sql`ALTER TABLE keys ADD COLUMN validation TEXT`,
      ...(name === 'sqlite' ? [] : violationTables(name).map((text) => sql.raw(text))),
    ],
  },
  {
    name: '0032 configurations of gateways',
    additive: true,
    statements: ({ integer }) => [
      sql`ALTER TABLE gateways ADD COLUMN config TEXT`,
      sql`ALTER TABLE gateways ADD COLUMN config_since ${integer}`,
    ],
  },
  {
    name: '0033 validation by day',
    additive: true,
    statements: ({ name }) =>
      name === 'sqlite' ? [] : [...violationDayTables(name), FILL_VIOLATION_DAYS].map((text) => sql.raw(text)),
  },
];

function createFirstTables({ integer, sequence, tableOptions }: Dialect): RawBuilder<unknown>[] {
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

function createSessionTables({ integer, tableOptions }: Dialect): RawBuilder<unknown>[] {
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

function createGatewaysAndOwners({ integer, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE gateways (
      id TEXT PRIMARY KEY, host TEXT NOT NULL, version TEXT NOT NULL,
      started_at ${integer} NOT NULL, seen_at ${integer} NOT NULL, stopped_at ${integer}
    ) ${tableOptions}`,
    // This index counts owners without reading the table.
    sql`CREATE INDEX keys_by_owner_and_status ON keys (owner, status)`,
  ];
}

function createAccountTables({ integer, sequence, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    // This index finds the keys of an account by its quota, which they all share.
    sql`CREATE INDEX keys_by_quota ON keys (quota_id, sequence)`,
    sql`CREATE TABLE accounts (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      email TEXT UNIQUE, status TEXT NOT NULL, plan TEXT NOT NULL, quota_id TEXT NOT NULL,
      created_at ${integer} NOT NULL, last_sign_in_at ${integer}, revision ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX accounts_by_status ON accounts (status, sequence)`,
    sql`CREATE INDEX accounts_by_plan ON accounts (plan, sequence)`,
    sql`CREATE TABLE account_identities (
      issuer TEXT NOT NULL, subject TEXT NOT NULL, account_id TEXT NOT NULL, PRIMARY KEY (issuer, subject)
    ) ${tableOptions}`,
    sql`CREATE INDEX account_identities_by_account ON account_identities (account_id)`,
    sql`CREATE TABLE account_links (
      hash TEXT PRIMARY KEY, account_id TEXT NOT NULL, expires_at ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX account_links_by_account ON account_links (account_id, expires_at)`,
    sql`CREATE INDEX account_links_by_end ON account_links (expires_at)`,
    sql`CREATE TABLE portal_sessions (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, account_id TEXT, key_id TEXT, method TEXT NOT NULL,
      address TEXT NOT NULL, user_agent TEXT NOT NULL,
      created_at ${integer} NOT NULL, seen_at ${integer} NOT NULL, expires_at ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX portal_sessions_by_account ON portal_sessions (account_id, seen_at)`,
    sql`CREATE INDEX portal_sessions_by_key ON portal_sessions (key_id, seen_at)`,
    sql`CREATE INDEX portal_sessions_by_end ON portal_sessions (expires_at)`,
    sql`CREATE TABLE plan_requests (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, plan TEXT NOT NULL,
      message TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, created_at ${integer} NOT NULL,
      decided_at ${integer}, decided_by TEXT
    ) ${tableOptions}`,
    sql`CREATE INDEX plan_requests_by_account ON plan_requests (account_id, sequence)`,
    sql`CREATE INDEX plan_requests_by_status ON plan_requests (status, sequence)`,
  ];
}

function createEventTables({ integer, sequence, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE events (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, subject TEXT, owner TEXT,
      source TEXT NOT NULL, at ${integer} NOT NULL, data TEXT NOT NULL, unique_key TEXT UNIQUE,
      routed ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX events_by_type ON events (type, sequence)`,
    sql`CREATE INDEX events_by_subject ON events (subject, sequence)`,
    sql`CREATE INDEX events_by_owner ON events (owner, sequence)`,
    sql`CREATE INDEX events_by_time ON events (at)`,
    sql`CREATE INDEX events_to_route ON events (sequence) WHERE routed = 0`,
    sql`CREATE INDEX keys_by_expiry ON keys (expires_at, sequence) WHERE expires_at IS NOT NULL`,
    sql`CREATE TABLE webhooks (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, account_id TEXT, url TEXT NOT NULL, description TEXT NOT NULL,
      types TEXT NOT NULL, status TEXT NOT NULL, disabled_reason TEXT, disabled_at ${integer},
      failing_since ${integer}, secret TEXT NOT NULL, previous_secret TEXT, previous_secret_until ${integer},
      created_at ${integer} NOT NULL, revision ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE INDEX webhooks_by_account ON webhooks (account_id, sequence)`,
    sql`CREATE TABLE deliveries (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL, webhook_id TEXT NOT NULL,
      status TEXT NOT NULL, due_at ${integer} NOT NULL, leased_until ${integer}, attempts ${integer} NOT NULL,
      created_at ${integer} NOT NULL, ended_at ${integer}, UNIQUE (event_id, webhook_id)
    ) ${tableOptions}`,
    sql`CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, sequence)`,
    sql`CREATE INDEX deliveries_by_status ON deliveries (webhook_id, status, sequence)`,
    sql`CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at) WHERE status = 'pending'`,
    sql`CREATE INDEX deliveries_leased ON deliveries (webhook_id) WHERE leased_until IS NOT NULL`,
    sql`CREATE TABLE delivery_attempts (
      delivery_id TEXT NOT NULL, number ${integer} NOT NULL, at ${integer} NOT NULL, duration_ms ${integer} NOT NULL,
      status ${integer}, error TEXT, answer TEXT, PRIMARY KEY (delivery_id, number)
    ) ${tableOptions}`,
  ];
}

function createAccountRequestTable({ integer, sequence, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE account_requests (
      sequence ${sequence}, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, email TEXT NOT NULL, purpose TEXT NOT NULL,
      plan TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, account_id TEXT, created_at ${integer} NOT NULL,
      decided_at ${integer}, decided_by TEXT
    ) ${tableOptions}`,
    sql`CREATE INDEX account_requests_by_status ON account_requests (status, sequence)`,
  ];
}

function createBulkTables({ integer, tableOptions }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE bulk_changes (
      id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, request TEXT NOT NULL, action TEXT NOT NULL,
      seconds ${integer}, reason TEXT, key_count ${integer} NOT NULL, total ${integer} NOT NULL,
      done ${integer} NOT NULL, changed ${integer} NOT NULL, updated_at ${integer} NOT NULL
    ) ${tableOptions}`,
    sql`CREATE TABLE bulk_batches (
      bulk_id TEXT NOT NULL, number ${integer} NOT NULL, key_ids TEXT NOT NULL, PRIMARY KEY (bulk_id, number)
    ) ${tableOptions}`,
    sql`ALTER TABLE audit ADD COLUMN bulk_id TEXT`,
    sql`CREATE INDEX audit_by_bulk ON audit (bulk_id, sequence) WHERE bulk_id IS NOT NULL`,
  ];
}

/** The result of a migration, as names of steps. */
export interface MigrationResult {
  /** The steps that were missing and have now been applied. */
  readonly applied: readonly string[];
  /** Additive steps of a newer version. This version does not use what they added. */
  readonly newer: readonly string[];
}

/**
 * Brings the tables up to date in one transaction. If several gateways start at once, one of them migrates and the
 * others wait.
 *
 * @throws StartError if a newer Tollgate has changed the database in a way that this version cannot work with
 */
export function migrate(queries: Queries, dialect: Dialect): Promise<MigrationResult> {
  return queries.transaction().execute(async (tx) => {
    await dialect.lock(tx, 'migrations');
    await createStepTables(tx, dialect);
    const [done, additive] = [await readStepNames(tx, 'migrations'), await readStepNames(tx, 'additive_migrations')];
    refuseNewer(done.filter(isUnknown));
    const missingSteps = migrations.filter(({ name }) => !done.includes(name) && !additive.includes(name));
    if (missingSteps.length > 0) await dialect.limitLockWaits(tx);
    for (const step of missingSteps) {
      for (const statement of step.statements(dialect)) await statement.execute(tx);
      await recordStep(tx, step);
    }
    return { applied: missingSteps.map(({ name }) => name), newer: additive.filter(isUnknown) };
  });
}

/**
 * Creates the tables that record applied steps. Additive steps have a table of their own, because versions from before
 * additive steps refuse a database with an unknown name in `migrations`.
 *
 * The foreign key makes `pg_restore --clean` of an older dump fail. Without it, the restore would replace `migrations`
 * and the extended tables, but the additive steps would still be recorded as applied.
 */
async function createStepTables(tx: Tx, { tableOptions }: Dialect): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) ${tableOptions}`.execute(tx);
  await sql`CREATE TABLE IF NOT EXISTS additive_migrations (
    name TEXT PRIMARY KEY, follows TEXT NOT NULL REFERENCES migrations (name)
  ) ${tableOptions}`.execute(tx);
}

async function readStepNames(tx: Tx, table: 'migrations' | 'additive_migrations'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(table)} ORDER BY name`.execute(tx);
  return rows.map(({ name }) => name);
}

async function recordStep(tx: Tx, { name, additive }: Migration): Promise<void> {
  const statement =
    additive === true
      ? sql`INSERT INTO additive_migrations (name, follows) SELECT ${name}, max(name) FROM migrations`
      : sql`INSERT INTO migrations (name) VALUES (${name})`;
  await statement.execute(tx);
}

function isUnknown(name: string): boolean {
  return !migrations.some((migration) => migration.name === name);
}

function refuseNewer([unknown]: readonly string[]): void {
  if (unknown === undefined) return;
  throw new StartError(
    `the database was migrated by a newer version of Tollgate (to "${unknown}", unknown to this version): use the newer ` +
      'version, or set TOLLGATE_DATABASE to another database',
  );
}

/** @param steps additive steps of a newer version */
export function warnOfNewerSteps(logger: Logger, steps: readonly string[]): void {
  if (steps.length > 0) logger.warn({ steps }, 'the database has additions of a newer version, which are not used');
}
