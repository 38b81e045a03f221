import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';

/**
 * The tables of the records, with the same names and types in both databases. A new table needs a row type here, an
 * entry in `copiedTables` and a step in `migrations.ts`.
 *
 * Times are integer milliseconds since the Unix epoch, flags are 0 or 1, and nested data is JSON text. Reading an
 * integer beyond 2^53 is an error, so select a column as text if its values may grow that large.
 */
export interface Tables {
  readonly plans: PlanRow;
  readonly keys: KeyTable;
  readonly audit: AuditTable;
  readonly bulk_changes: BulkChangeRow;
  readonly bulk_batches: BulkBatchRow;
  readonly claims: ClaimRow;
  readonly sessions: SessionRow;
  readonly sign_in_links: SignInLinkRow;
  readonly token_issuers: TokenIssuerRow;
  readonly gateways: GatewayRow;
  readonly accounts: AccountTable;
  readonly account_identities: IdentityRow;
  readonly account_links: LinkRow;
  readonly portal_sessions: PortalSessionRow;
  readonly plan_requests: PlanRequestTable;
  readonly account_requests: AccountRequestTable;
  readonly events: EventTable;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly delivery_attempts: AttemptRow;
}

/**
 * The tables that `database move` copies, in this order: each table comes after the tables that it refers to.
 * `gateways` is not copied, because its rows are about users of the old database.
 */
export const copiedTables = [
  'plans',
  'keys',
  'audit',
  'claims',
  'sessions',
  'sign_in_links',
  'token_issuers',
  'accounts',
  'account_identities',
  'account_links',
  'portal_sessions',
  'plan_requests',
  'account_requests',
  'events',
  'webhooks',
  'deliveries',
  'delivery_attempts',
  'bulk_changes',
  'bulk_batches',
] as const satisfies readonly (keyof Tables)[];

/** Tables whose `sequence` column the database assigns. */
export const countedTables = [
  'keys',
  'audit',
  'accounts',
  'plan_requests',
  'account_requests',
  'events',
  'webhooks',
  'deliveries',
] as const satisfies readonly (keyof Tables)[];

export interface PlanRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price_text: string;
  readonly minute_limit: number | null;
  readonly day_limit: number | null;
  readonly month_limit: number | null;
  readonly concurrent: number | null;
  readonly custom: number;
  readonly mode: string;
  readonly on_store_failure: string;
  /** A JSON list, as in the table `keys`. */
  readonly operations: string | null;
  readonly revision: number;
}

export interface KeyTable {
  /** Increases with every key. Lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly minute_limit: number | null;
  readonly day_limit: number | null;
  readonly month_limit: number | null;
  readonly concurrent: number | null;
  readonly validation: string | null;
  readonly status: string;
  readonly metadata: string;
  /** JSON lists; null means no restriction. `operations` of a caller is in `token_operations`. */
  readonly operations: string | null;
  readonly addresses: string | null;
  readonly prefix: string;
  readonly last_four: string;
  /** The key's id in the system that it was imported from. Unique per owner. */
  readonly external_id: string | null;
  /** 1 if another gateway created the secret. */
  readonly foreign_secret: number;
  /** The caller of a key of kind `token`; all are null for the other kinds. */
  readonly token_name: string | null;
  readonly token_issuer: string | null;
  readonly token_claim: string | null;
  readonly token_caller: string | null;
  /** As `operations` of other keys. */
  readonly token_operations: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly quota_id: string;
  readonly rotated_to: string | null;
  readonly revision: number;
  /** The id of the first key of the rotation chain; for a caller, which has no other key in its chain, `token:` and its id. */
  readonly chain: string;
  /**
   * When another key replaced this key, if this key expires as soon as it is no longer used. Null for any other key.
   */
  readonly quiet_since: number | null;
  /**
   * Set only with `quiet_since`: the network of the key's last use, and the time until which a gateway that disappeared
   * may have served the key without recording it.
   */
  readonly last_used_from: Generated<string | null>;
  readonly unreported_until: Generated<number | null>;
}

export interface AuditTable {
  readonly sequence: Generated<number>;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly before: string | null;
  readonly after: string | null;
  /** The id of the bulk change that this entry is part of. */
  readonly bulk_id: string | null;
  /** The message to the customer when a ban starts or is lifted. */
  readonly message: string | null;
}

/** A change of many keys. */
export interface BulkChangeRow {
  readonly id: string;
  /** The digest of the preview. */
  readonly digest: string;
  /** The SHA-256 of the request. */
  readonly request: string;
  readonly action: string;
  /** The length of the bans. */
  readonly seconds: number | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** Number of keys that matched. */
  readonly key_count: number;
  /** Number of keys or quotas to change; `done` of them are processed. */
  readonly total: number;
  readonly done: number;
  /** Number of keys or quotas that were changed. */
  readonly changed: number;
  /** Number of keys that no longer met the conditions. */
  readonly skipped: number;
  readonly updated_at: number;
}

/** Keys that a bulk change has yet to change. A row is deleted when its keys are done. */
interface BulkBatchRow {
  readonly bulk_id: string;
  readonly number: number;
  /** A JSON list. */
  readonly key_ids: string;
}

/** A record of work that is done only once per database, such as seeding it. */
interface ClaimRow {
  readonly name: string;
  readonly at: number;
}

/** A session of the console. */
export interface SessionRow {
  readonly id: string;
  /** SHA-256 of the cookie, base64url. */
  readonly hash: string;
  readonly name: string;
  readonly method: string;
  /** SHA-256 of the admin token that was used to sign in. */
  readonly token_hash: string | null;
  /**
   * Only for a sign-in by OpenID Connect: the issuer, and the configured claim values that the user has (a JSON list).
   */
  readonly issuer: string | null;
  readonly claims: string | null;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: number;
  /** The last use, accurate to the minute. */
  readonly seen_at: number;
  readonly expires_at: number;
}

/** A configured issuer of access tokens, or one that has callers. */
interface TokenIssuerRow {
  readonly issuer: string;
  /** When a gateway last had it configured, accurate to the hour. */
  readonly configured_at: number;
}

/** A sign-in link that can be used once. */
interface SignInLinkRow {
  /** SHA-256 of the link's token, base64url. */
  readonly hash: string;
  /** The name of the admin token that the link replaces. */
  readonly name: string;
  readonly token_hash: string;
  readonly expires_at: number;
}

/** A gateway process that uses the database. Times are by the clock of the database: see `Dialect.now`. */
export interface GatewayRow {
  /** A new id at every start. */
  readonly id: string;
  /** The host name. */
  readonly host: string;
  readonly version: string;
  readonly started_at: number;
  /** Accurate to ten seconds. */
  readonly seen_at: number;
  /** When the gateway stopped. Null unless it stopped gracefully, with all uses of keys recorded. */
  readonly stopped_at: number | null;
  /** The digests of its configuration, as JSON; null while it starts, and for a version that has no digests. */
  readonly config: ColumnType<string | null, string | null | undefined>;
  /** When it reported these digests first. */
  readonly config_since: ColumnType<number | null, number | null | undefined>;
  /** The time until which all uses of keys are recorded; null if none are. */
  readonly uses_reported_at: number | null;
}

export interface AccountTable {
  /** Increases with every account. Lists are in this order. */
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

/** An OpenID Connect user who can sign in to an account. */
interface IdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly account_id: string;
}

/** A sign-in link that can be used once. */
interface LinkRow {
  /** SHA-256 of the link's token, base64url. */
  readonly hash: string;
  readonly account_id: string;
  readonly expires_at: number;
}

/** A session of the portal, of an account or a key. */
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
  /** The last use, accurate to the minute. */
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

export interface AccountRequestTable {
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly purpose: string;
  readonly plan: string;
  readonly status: string;
  readonly reason: string | null;
  readonly account_id: string | null;
  readonly created_at: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
}

/** Events, stored in the outbox. */
export interface EventTable {
  /** Increases with every event. Do not use it as a read position, because transactions may commit in another order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly type: string;
  /** The id of a key, a plan or an operation, or any subject that a service names. */
  readonly subject: string | null;
  /** The owner that the event is about; null if there is none. */
  readonly owner: string | null;
  /** `gateway`, or the name of the upstream that published it. */
  readonly source: string;
  readonly at: number;
  /** JSON. */
  readonly data: string;
  /** Identifies an event that may be published only once; null for any other event. */
  readonly unique_key: string | null;
  /** 1 if its deliveries have been created. */
  readonly routed: number;
}

/** Webhooks of operators and accounts. */
export interface WebhookTable {
  /** Increases with every webhook. Lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  /** Null for a webhook of the operators. */
  readonly account_id: string | null;
  readonly url: string;
  readonly description: string;
  /** A JSON list; `["*"]` means all available types. */
  readonly types: string;
  readonly status: string;
  /** The reason why the webhook is disabled; null while it is enabled. */
  readonly disabled_reason: string | null;
  readonly disabled_at: number | null;
  /** Start of the current series of failed attempts; null if the last attempt succeeded. */
  readonly failing_since: number | null;
  /** `whsec_…`. The secret itself is stored instead of a hash, because it is needed for signing. */
  readonly secret: string;
  /** The previous secret. Deliveries are also signed with it until `previous_secret_until`. */
  readonly previous_secret: string | null;
  readonly previous_secret_until: number | null;
  readonly created_at: number;
  readonly revision: number;
}

/** The delivery of one event to one webhook. */
export interface DeliveryTable {
  /** Increases with every delivery. Lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly event_id: string;
  readonly webhook_id: string;
  /** `pending`, `delivered`, or `failed` (no attempts left). */
  readonly status: string;
  /**
   * When the next attempt is due. While a gateway works on the delivery, this is the end of its lease, when another
   * gateway takes over.
   */
  readonly due_at: number;
  /** The end of the lease of the gateway that works on the delivery; null if no gateway does. */
  readonly leased_until: number | null;
  readonly attempts: number;
  readonly created_at: number;
  /** When the delivery finally succeeded or failed. */
  readonly ended_at: number | null;
}

/** An attempt to deliver an event. */
export interface AttemptRow {
  readonly delivery_id: string;
  readonly number: number;
  readonly at: number;
  readonly duration_ms: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Why there was no response; null if there was one. */
  readonly error: string | null;
  /** The first KB of the response. */
  readonly answer: string | null;
}

/** Runs queries, on the database or in a transaction. */
export type Queries = Kysely<Tables>;
export type Tx = Transaction<Tables>;
