import { type Generated, type RawBuilder, sql } from 'kysely';

/** The tables of the portal's accounts. Times are integer milliseconds since the Unix epoch. */

export interface AccountTable {
  /** Rises with every account: lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly email: string | null;
  readonly status: string;
  readonly plan: string;
  readonly quota_id: string;
  readonly created_at: number;
  readonly last_sign_in_at: number | null;
  readonly revision: number;
}

/** Somebody whom an OpenID provider vouches for. */
export interface IdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly account_id: string;
}

/** A link that signs in once. */
export interface LinkRow {
  /** SHA-256 of the link's token, base64url. */
  readonly hash: string;
  readonly account_id: string;
  readonly expires_at: number;
}

/** Somebody who is signed in to the portal: an account or a key. */
export interface PortalSessionRow {
  readonly id: string;
  /** SHA-256 of the cookie, base64url. */
  readonly hash: string;
  readonly account_id: string | null;
  readonly key_id: string | null;
  readonly method: string;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: number;
  /** Accurate to the minute. */
  readonly seen_at: number;
  readonly expires_at: number;
}

export interface PlanRequestTable {
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly plan: string;
  readonly message: string;
  readonly status: string;
  readonly reason: string | null;
  readonly created_at: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
}

interface ColumnTypes {
  readonly integer: RawBuilder<unknown>;
  readonly sequence: RawBuilder<unknown>;
  readonly tableOptions: RawBuilder<unknown>;
}

/** The statements of the migration that makes them. */
export function accountTables({ integer, sequence, tableOptions }: ColumnTypes): RawBuilder<unknown>[] {
  return [
    // An account's keys share its quota: they are found by it.
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
