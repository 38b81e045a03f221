import { type RawBuilder, sql } from 'kysely';
import type { EventTable, Queries, Tx } from '../../../storage/tables.ts';
import type { Dialect } from '../../../storage/dialect.ts';
import type { ClaimSettings, Wanted } from './claim-settings.ts';
import type { Standing } from './work-places.ts';

/**
 * What a claim reads. Millions of deliveries may wait: each of these reads few entries of an index, and none reads what is
 * not due. Statuses are not parameters, because SQLite would not use the indexes of what is pending.
 */

/** A webhook with a delivery that is due, and a free place. */
export interface Candidate {
  readonly webhookId: string;
  readonly places: number;
  readonly standing: Standing;
  /** The database's time. */
  readonly now: number;
}

/** Deliveries that are looked at first. */
const HEAD = 200;

type Places = Pick<ClaimSettings, 'perWebhook' | 'perFailingWebhook'>;

/**
 * Of each standing, those that have waited longest. Most often the deliveries that are due first are of webhooks enough;
 * only where a few webhooks have them all does it step through the index, from webhook to webhook.
 */
export async function candidates(
  queries: Queries,
  dialect: Dialect,
  settings: Places,
  wanted: Wanted,
): Promise<Candidate[]> {
  const { rows: head } = await sql<{ webhookId: string }>`
    SELECT webhook_id AS "webhookId" FROM deliveries
    WHERE status = 'pending' AND due_at <= ${dialect.now} ORDER BY due_at LIMIT ${sql.lit(HEAD)}`.execute(queries);
  if (head.length === 0) return [];
  const ids = [...new Set(head.map(({ webhookId }) => webhookId))];
  const first = await statesOf(
    queries,
    dialect,
    settings,
    wanted,
    sql`
    waiting (webhook_id) AS (SELECT id FROM webhooks WHERE id IN (${sql.join(ids)}))`,
  );
  const { working, troubled } = wanted.limits;
  if (head.length < HEAD || first.length >= working + troubled) return first;
  return statesOf(
    queries,
    dialect,
    settings,
    wanted,
    sql`
    RECURSIVE waiting (webhook_id) AS (
      SELECT min(webhook_id) FROM deliveries WHERE status = 'pending'
      UNION ALL
      SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id > w.webhook_id)
      FROM waiting w WHERE w.webhook_id IS NOT NULL
    )`,
  );
}

/** @param waiting a common table of the webhooks that are looked at */
async function statesOf(
  queries: Queries,
  { now }: Dialect,
  settings: Places,
  { limits, tardy, except }: Wanted,
  waiting: RawBuilder<unknown>,
): Promise<Candidate[]> {
  const others = except.length === 0 ? sql`` : sql`AND webhooks.id NOT IN (${sql.join(except)})`;
  const isTardy = tardy.length === 0 ? sql`1 = 0` : sql`webhooks.id IN (${sql.join(tardy)})`;
  const { rows } = await sql<Candidate>`
    WITH ${waiting},
    states AS (
      SELECT webhooks.id AS webhook_id,
        CASE WHEN webhooks.failing_since IS NULL THEN ${sql.lit(settings.perWebhook)}
          ELSE ${sql.lit(settings.perFailingWebhook)} END AS places,
        CASE WHEN webhooks.failing_since IS NOT NULL OR ${isTardy} THEN 'troubled' ELSE 'working' END AS standing,
        (SELECT min(d.due_at) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id = webhooks.id) AS due_at,
        (SELECT count(*) FROM deliveries d
          WHERE d.leased_until IS NOT NULL AND d.webhook_id = webhooks.id AND d.leased_until > ${now}) AS leased
      FROM waiting JOIN webhooks ON webhooks.id = waiting.webhook_id
      WHERE webhooks.status = 'enabled' ${others}
    ),
    ranked AS (
      SELECT webhook_id, places, standing, due_at,
        row_number() OVER (PARTITION BY standing ORDER BY due_at, webhook_id) AS place
      FROM states WHERE leased < places AND due_at <= ${now}
    )
    SELECT webhook_id AS "webhookId", places, standing, ${now} AS now FROM ranked
    WHERE place <= CASE standing WHEN 'working' THEN ${sql.lit(limits.working)} ELSE ${sql.lit(limits.troubled)} END
    ORDER BY due_at, webhook_id`.execute(queries);
  return rows;
}

/**
 * How many deliveries of these webhooks are at work. A statement of its own, after they are locked: one that began before
 * would not see what another gateway has taken since.
 */
export async function countLeased(tx: Tx, webhookIds: readonly string[], now: number): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('deliveries')
    .select((eb) => ['webhook_id', eb.fn.countAll<number>().as('count')])
    .where('leased_until', 'is not', null)
    .where('leased_until', '>', now)
    .where('webhook_id', 'in', webhookIds)
    .groupBy('webhook_id')
    .execute();
  return new Map(rows.map(({ webhook_id: id, count }) => [id, count]));
}

export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly attempts: number;
  /** Null if it is not kept any more. */
  readonly event: (Pick<EventTable, 'type' | 'at' | 'data'> & { readonly event_id: string }) | null;
}

interface DueRow extends Omit<DueDelivery, 'event'> {
  readonly eventId: string;
  readonly type: string | null;
  readonly at: number | null;
  readonly data: string | null;
}

/**
 * The deliveries that have waited longest, locked.
 *
 * @param free how many of which webhook
 * @param now not read from the clock in the query: for what moves, no index would be used
 */
export async function dueDeliveries(
  tx: Tx,
  { skipLocked }: Dialect,
  free: readonly { readonly id: string; readonly limit: number }[],
  now: number,
): Promise<DueDelivery[]> {
  if (free.length === 0) return [];
  const parts = free.map(
    ({ id, limit }) => sql`SELECT * FROM (
      SELECT id, webhook_id, event_id, attempts FROM deliveries
      WHERE status = 'pending' AND webhook_id = ${id} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${limit} ${skipLocked}) AS part`,
  );
  const { rows } = await sql<DueRow>`
    SELECT due.id, due.webhook_id AS "webhookId", due.event_id AS "eventId", due.attempts,
      events.type, events.at, events.data
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS due LEFT JOIN events ON events.id = due.event_id`.execute(tx);
  return rows.map(({ eventId, type, at, data, ...delivery }) => {
    const event = type === null || at === null || data === null ? null : { event_id: eventId, type, at, data };
    return { ...delivery, event };
  });
}
