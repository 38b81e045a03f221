import type { Generated, Kysely, Transaction } from 'kysely';

/**
 * The tables of the records as queries see them, with the same names and types in both databases. A new kind of record
 * needs a row type here, a name in `copiedTables` and a step in `migrations.ts`.
 *
 * Times are integer milliseconds since the Unix epoch; flags are 0 or 1; nested data is JSON text. An integer is
 * exact or an error: one beyond 2^53 is never rounded, so what may grow that large is selected as text.
 */
export interface Tables {
  readonly plans: PlanRow;
  readonly keys: KeyTable;
  readonly audit: AuditTable;
  readonly claims: ClaimRow;
  readonly sessions: SessionRow;
  readonly sign_in_links: SignInLinkRow;
  readonly gateways: GatewayRow;
  readonly accounts: AccountTable;
  readonly account_identities: IdentityRow;
  readonly account_links: LinkRow;
  readonly portal_sessions: PortalSessionRow;
  readonly plan_requests: PlanRequestTable;
  readonly events: EventTable;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly delivery_attempts: AttemptRow;
}

/**
 * Every table that is copied to another database, in that order: those that others refer to come first. The gateways are
 * left out, because they stay with the database that they use.
 */
export const copiedTables = [
  'plans',
  'keys',
  'audit',
  'claims',
  'sessions',
  'sign_in_links',
  'accounts',
  'account_identities',
  'account_links',
  'portal_sessions',
  'plan_requests',
  'events',
  'webhooks',
  'deliveries',
  'delivery_attempts',
] as const satisfies readonly (keyof Tables)[];

/** Tables whose `sequence` column the database assigns. */
export const countedTables = [
  'keys',
  'audit',
  'accounts',
  'plan_requests',
  'events',
  'webhooks',
  'deliveries',
] as const satisfies readonly (keyof Tables)[];

export interface PlanRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly minute_limit: number | null;
  readonly day_limit: number | null;
  readonly month_limit: number | null;
  readonly custom: number;
  readonly mode: string;
  readonly on_store_failure: string;
  readonly revision: number;
}

export interface KeyTable {
  /** Rises with every key: lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly minute_limit: number | null;
  readonly day_limit: number | null;
  readonly month_limit: number | null;
  readonly status: string;
  readonly metadata: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly quota_id: string;
  readonly rotated_to: string | null;
  readonly revision: number;
  /** The id of the first key of the rotation chain. */
  readonly chain: string;
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
}

/** Something done at most once in the life of a database, such as seeding it. */
export interface ClaimRow {
  readonly name: string;
  readonly at: number;
}

/** Somebody who is signed in to the console. */
export interface SessionRow {
  readonly id: string;
  /** SHA-256 of the cookie, base64url. */
  readonly hash: string;
  readonly name: string;
  readonly method: string;
  /** SHA-256 of the admin token that was signed in with. */
  readonly token_hash: string | null;
  /** Of a sign-in by OpenID Connect: who vouched, and for which of the configured values (a JSON list). */
  readonly issuer: string | null;
  readonly claims: string | null;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: number;
  /** Accurate to the minute. */
  readonly seen_at: number;
  readonly expires_at: number;
}

/** A link that signs in once. */
export interface SignInLinkRow {
  /** SHA-256 of the link's token, base64url. */
  readonly hash: string;
  /** The name of the admin token that the link stands for. */
  readonly name: string;
  readonly token_hash: string;
  readonly expires_at: number;
}

/** A process that uses the database. Times are the database's own: see `Dialect.now`. */
export interface GatewayRow {
  /** New at every start. */
  readonly id: string;
  /** The name of its machine. */
  readonly host: string;
  readonly version: string;
  readonly started_at: number;
  /** Accurate to ten seconds. */
  readonly seen_at: number;
  /** Null unless it was stopped in good order. */
  readonly stopped_at: number | null;
}

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

/** What happened: the outbox. */
export interface EventTable {
  /** Rises with every event. Not the order of commits: nothing may take it for how far it has read. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly type: string;
  /** What it is about: a key, a plan, an operation, or what a service says. */
  readonly subject: string | null;
  /** Whose event it is; null: nobody's alone. */
  readonly owner: string | null;
  /** `gateway`, or the name of the upstream that published it. */
  readonly source: string;
  readonly at: number;
  /** JSON. */
  readonly data: string;
  /** Names what may be told only once; null: nothing does. */
  readonly unique_key: string | null;
  /** 1 once its deliveries are made. */
  readonly routed: number;
}

/** Somebody who asked to be told. */
export interface WebhookTable {
  /** Rises with every webhook: lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  /** Null: the operators'. */
  readonly account_id: string | null;
  readonly url: string;
  readonly description: string;
  /** A JSON list; `["*"]` is all that may be seen. */
  readonly types: string;
  readonly status: string;
  /** Why it is disabled; null while it is not. */
  readonly disabled_reason: string | null;
  readonly disabled_at: number | null;
  /** Since when every attempt has failed; null after one that did not. */
  readonly failing_since: number | null;
  /** `whsec_…`: what it signs with must be known, so it is no hash. */
  readonly secret: string;
  /** The one before, which still signs until then. */
  readonly previous_secret: string | null;
  readonly previous_secret_until: number | null;
  readonly created_at: number;
  readonly revision: number;
}

/** One event for one webhook. */
export interface DeliveryTable {
  /** Rises with every delivery: lists are in this order. */
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly event_id: string;
  readonly webhook_id: string;
  /** `pending`, `delivered`, or `failed`: no attempt is left. */
  readonly status: string;
  /** When the next attempt is due; while a gateway has it, the end of its lease, when another one takes it over. */
  readonly due_at: number;
  /** Until when a gateway has it; null: none does. */
  readonly leased_until: number | null;
  readonly attempts: number;
  readonly created_at: number;
  /** When it was delivered, or given up. */
  readonly ended_at: number | null;
}

/** One try to deliver. */
export interface AttemptRow {
  readonly delivery_id: string;
  readonly number: number;
  readonly at: number;
  readonly duration_ms: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Why there was none; null if there was one. */
  readonly error: string | null;
  /** The first KB of the answer. */
  readonly answer: string | null;
}

/** Runs queries: the database, or a transaction on it. */
export type Queries = Kysely<Tables>;
export type Tx = Transaction<Tables>;
