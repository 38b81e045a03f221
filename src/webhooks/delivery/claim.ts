import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Queries, Tx } from '../../database/queries.ts';
import { LEASE_MS } from './lease.ts';
import { messageOf } from '../sending/message.ts';
import type { Message } from '../sending/sender.ts';

/** A delivery that is this gateway's until its lease ends. */
export interface Claimed {
  readonly id: string;
  readonly webhookId: string;
  /** Attempts before. */
  readonly attempts: number;
  /** ms since the Unix epoch, by the database's clock. No other claim of this delivery has the same. */
  readonly leasedUntil: number;
  readonly message: Message;
}

/** How many deliveries one webhook may have at work, at all gateways together. */
export interface Places {
  readonly perWebhook: number;
  /** Of one whose attempts have been failing: it is not worth more. */
  readonly perFailingWebhook: number;
}

export interface Wanted {
  /** Deliveries in all. */
  readonly limit: number;
  /** Webhooks that get none. */
  readonly except: readonly string[];
}

interface Candidate {
  readonly webhookId: string;
  readonly places: number;
  /** The database's time. */
  readonly now: number;
}

/**
 * The webhooks with a delivery that is due and a free place, the one that has waited longest first. Reads a few entries
 * of an index for each webhook with pending deliveries, however many these are.
 */
async function candidates(queries: Queries, { dialect: { now } }: Database, places: Places, wanted: Wanted) {
  const { limit, except } = wanted;
  const others = except.length === 0 ? sql`` : sql`AND webhooks.id NOT IN (${sql.join(except)})`;
  const { rows } = await sql<Candidate>`
    WITH RECURSIVE waiting (webhook_id) AS (
      SELECT min(webhook_id) FROM deliveries WHERE status = 'pending'
      UNION ALL
      SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id > w.webhook_id)
      FROM waiting w WHERE w.webhook_id IS NOT NULL
    ),
    states AS (
      SELECT webhooks.id AS webhook_id,
        CASE WHEN webhooks.failing_since IS NULL THEN ${sql.lit(places.perWebhook)}
          ELSE ${sql.lit(places.perFailingWebhook)} END AS places,
        (SELECT min(d.due_at) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id = webhooks.id) AS due_at,
        ${leasedOf(sql`webhooks.id`, now)} AS leased
      FROM waiting JOIN webhooks ON webhooks.id = waiting.webhook_id
      WHERE webhooks.status = 'enabled' ${others}
    )
    SELECT webhook_id AS "webhookId", places, ${now} AS now FROM states
    WHERE leased < places AND due_at <= ${now} ORDER BY due_at, webhook_id LIMIT ${limit}`.execute(queries);
  return rows;
}

/**
 * Takes deliveries that are due: `places` for each webhook, and `limit` in all. What another gateway is about to take is
 * left to it.
 */
export async function claim(database: Database, places: Places, wanted: Wanted): Promise<Claimed[]> {
  const { limit } = wanted;
  const found = await database.read((queries) => candidates(queries, database, places, wanted));
  if (found.length === 0) return [];
  return database.transaction(async (tx) => {
    const mine = await lockWebhooks(tx, database, found);
    if (mine.length === 0) return [];
    const share = Math.max(1, Math.ceil(limit / mine.length));
    const leases: Lease[] = [];
    for (const candidate of mine) {
      const free = Math.min(share, limit - leases.length);
      if (free > 0) leases.push(...(await lease(tx, database, candidate, free)));
    }
    return withMessages(tx, leases);
  });
}

/** So that no other gateway counts free places of these webhooks meanwhile. */
async function lockWebhooks(tx: Tx, { dialect }: Database, found: readonly Candidate[]): Promise<Candidate[]> {
  const ids = found.map(({ webhookId }) => webhookId);
  const enabled = tx.selectFrom('webhooks').select('id').where('id', 'in', ids).where('status', '=', 'enabled');
  const locked = new Set((await enabled.modifyEnd(dialect.skipLocked).execute()).map(({ id }) => id));
  return found.filter(({ webhookId }) => locked.has(webhookId));
}

interface Lease extends Omit<Claimed, 'message'> {
  readonly eventId: string;
}

async function lease(
  tx: Tx,
  { dialect: { skipLocked } }: Database,
  { webhookId, places, now }: Candidate,
  atMost: number,
): Promise<Lease[]> {
  // The time is a parameter: for a clock that moves, no index would be used, and all that is not due would be read.
  const until = now + LEASE_MS;
  const { rows } = await sql<Lease>`
    UPDATE deliveries SET leased_until = ${until}, due_at = ${until} WHERE id IN (
      SELECT id FROM deliveries WHERE status = 'pending' AND webhook_id = ${webhookId} AND due_at <= ${now}
      ORDER BY due_at LIMIT (
        SELECT CASE WHEN leased >= ${places} THEN 0 WHEN ${places} - leased > ${atMost} THEN ${atMost}
          ELSE ${places} - leased END
        FROM (SELECT ${leasedOf(sql`${webhookId}`, sql`${now}`)} AS leased) AS taken
      ) ${skipLocked}
    )
    RETURNING id, webhook_id AS "webhookId", event_id AS "eventId", attempts, leased_until AS "leasedUntil"`.execute(
    tx,
  );
  return rows;
}

/** How many deliveries of a webhook are at work. */
function leasedOf(webhookId: ReturnType<typeof sql>, now: ReturnType<typeof sql>) {
  return sql`(SELECT count(*) FROM deliveries d
    WHERE d.leased_until IS NOT NULL AND d.webhook_id = ${webhookId} AND d.leased_until > ${now})`;
}

/** Those of events that are not kept any more are deleted. */
async function withMessages(tx: Tx, leases: readonly Lease[]): Promise<Claimed[]> {
  if (leases.length === 0) return [];
  const ids = leases.map(({ id }) => id);
  const rows = await tx
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['deliveries.id', 'event_id', 'events.type', 'events.at', 'events.data'])
    .select(['webhooks.url', 'secret', 'previous_secret', 'previous_secret_until'])
    .where('deliveries.id', 'in', ids)
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  const lost = ids.filter((id) => !found.has(id));
  if (lost.length > 0) {
    await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', lost).execute();
    await tx.deleteFrom('deliveries').where('id', 'in', lost).execute();
  }
  return leases.flatMap(({ eventId, ...lease }) => {
    const row = found.get(lease.id);
    const now = lease.leasedUntil - LEASE_MS;
    return row === undefined ? [] : [{ ...lease, message: messageOf(row, row, now) }];
  });
}
