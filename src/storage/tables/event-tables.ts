import { type Generated, type RawBuilder, sql } from 'kysely';

/** The tables of events and webhooks. Times are integer milliseconds since the Unix epoch. */

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

interface ColumnTypes {
  readonly integer: RawBuilder<unknown>;
  readonly sequence: RawBuilder<unknown>;
  readonly tableOptions: RawBuilder<unknown>;
}

/** The statements of the migration that makes them, and finds the keys whose end is to be told. */
export function eventTables({ integer, sequence, tableOptions }: ColumnTypes): RawBuilder<unknown>[] {
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
