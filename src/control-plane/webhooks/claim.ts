import { type RawBuilder, sql } from 'kysely';
import type { Queries, Tx, EventTable } from '../../storage/tables.ts';
import type { Standing } from './delivery-slots.ts';
import type { Database } from '../../storage/database.ts';
import { type Message, createMessage } from './sender.ts';
import type { Dialect } from '../../storage/dialect.ts';

/** How long a delivery is reserved for one gateway (see `ClaimOptions`). Tests use other values. */
export const LEASE_MS = 30_000;

export interface ClaimOptions {
  /** Maximum number of running deliveries of one webhook, at all gateways together. */
  readonly perWebhook: number;
  /** The same for a webhook whose attempts have been failing. */
  readonly perFailingWebhook: number;
  /**
   * How long a delivery is reserved for one gateway. This must be longer than an attempt may take, so that no gateway
   * takes over a running delivery. If a lease ends, the gateway that holds it counts as dead.
   */
  readonly leaseMs: number;
}

interface ClaimRequest {
  /** Maximum number of deliveries to claim, by standing. */
  readonly limits: Readonly<Record<Standing, number>>;
  /** Webhooks whose standing is `slow` if they are not failing. */
  readonly slowWebhooks: readonly string[];
  /** Webhooks for which nothing is claimed. */
  readonly except: readonly string[];
}

/** A delivery that is reserved for this gateway until the lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  /** ms since the Unix epoch, by the database's clock. No other claim of this delivery has the same value. */
  readonly leasedUntil: number;
  readonly standing: Standing;
  readonly message: Message;
}

/**
 * Claims due deliveries, shared fairly among their webhooks. Skips a webhook while another gateway is claiming
 * deliveries of it.
 */
export async function claim(
  database: Database,
  options: ClaimOptions,
  request: ClaimRequest,
): Promise<ClaimedDelivery[]> {
  const candidates = await database.read((queries) => findCandidates(queries, database.dialect, options, request));
  const [first] = candidates;
  if (first === undefined) return [];
  const now = first.now;
  return database.transaction(async (tx) => {
    const lockedWebhooks = await lockWebhooks(tx, database, candidates);
    if (lockedWebhooks.length === 0) return [];
    const shares = computeShares(request.limits, lockedWebhooks);
    const leasedCounts = await countLeased(
      tx,
      lockedWebhooks.map(({ id }) => id),
      now,
    );
    const freePlaces = lockedWebhooks.map(({ id, places, standing }) => {
      return { id, limit: Math.min(shares[standing], places - (leasedCounts.get(id) ?? 0)) };
    });
    const deliveries = await lockDueDeliveries(
      tx,
      database.dialect,
      freePlaces.filter((each) => each.limit > 0),
      now,
    );
    const leasedUntil = now + options.leaseMs;
    await lease(tx, deliveries, leasedUntil);
    const webhooks = new Map(lockedWebhooks.map((webhook) => [webhook.id, webhook]));
    return deliveries.flatMap(({ id, webhookId, attempts, event }) => {
      const webhook = webhooks.get(webhookId);
      if (webhook === undefined || event === null) return [];
      const { standing } = webhook;
      return [{ id, webhookId, attempts, leasedUntil, standing, message: createMessage(webhook, event, now) }];
    });
  });
}

/** Computes how many deliveries each webhook may get. Webhooks of the same standing get equal shares, at least one. */
function computeShares(
  limits: ClaimRequest['limits'],
  webhooks: readonly { readonly standing: Standing }[],
): Readonly<Record<Standing, number>> {
  const computeShare = (standing: Standing) => {
    const count = webhooks.filter((each) => each.standing === standing).length;
    return Math.max(1, Math.floor(limits[standing] / Math.max(1, count)));
  };
  return { working: computeShare('working'), slow: computeShare('slow'), failing: computeShare('failing') };
}

/** Locks webhooks until the transaction ends, so that two gateways cannot fill the same free places. */
async function lockWebhooks(tx: Tx, { dialect }: Database, candidates: readonly Candidate[]) {
  const candidatesById = new Map(candidates.map((candidate) => [candidate.webhookId, candidate]));
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'account_id', 'url', 'secret', 'previous_secret', 'previous_secret_until'])
    .where('id', 'in', [...candidatesById.keys()])
    .where('status', '=', 'enabled')
    .modifyEnd(dialect.skipLocked)
    .execute();
  return rows.map((row) => {
    const { places, standing } = candidatesById.get(row.id)!;
    return { ...row, places, standing };
  });
}

/** Leases the due deliveries. Deliveries of events that are no longer stored are deleted instead. */
async function lease(tx: Tx, due: readonly DueDelivery[], leasedUntil: number): Promise<void> {
  const deliveriesByLoss = Map.groupBy(due, ({ event }) => event === null);
  const [keptIds, lostIds] = [false, true].map((isLost) =>
    (deliveriesByLoss.get(isLost) ?? []).map(({ id }) => id),
  ) as [string[], string[]];
  if (keptIds.length > 0) {
    const leased = { leased_until: leasedUntil, due_at: leasedUntil };
    await tx.updateTable('deliveries').set(leased).where('id', 'in', keptIds).execute();
  }
  if (lostIds.length > 0) {
    await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', lostIds).execute();
    await tx.deleteFrom('deliveries').where('id', 'in', lostIds).execute();
  }
}

/**
 * The queries of a claim. Millions of deliveries may be waiting, so each query reads only a few entries of an index.
 * Statuses are not parameters, because then SQLite would not use the indexes of pending deliveries.
 */

/** A webhook that has a due delivery and a free place for it. */
interface Candidate {
  readonly webhookId: string;
  readonly places: number;
  readonly standing: Standing;
  /** The database's time, in ms since the Unix epoch. */
  readonly now: number;
}

/** Number of due deliveries whose webhooks are checked first. */
const HEAD_SIZE = 200;

type PlaceOptions = Pick<ClaimOptions, 'perWebhook' | 'perFailingWebhook'>;

/**
 * Finds the webhooks whose deliveries have waited longest, and failing webhooks in random order. Failing webhooks are
 * not ordered by waiting time, because one that keeps its old deliveries would always come first, and the others would
 * never get an attempt.
 *
 * Usually, the first due deliveries belong to enough working webhooks. If they belong to too few, a query steps through
 * the index from webhook to webhook instead.
 */
export async function findCandidates(
  queries: Queries,
  dialect: Dialect,
  options: PlaceOptions,
  request: ClaimRequest,
): Promise<Candidate[]> {
  const { rows: head } = await sql<{ webhookId: string }>`
    SELECT webhook_id AS "webhookId" FROM deliveries
    WHERE status = 'pending' AND due_at <= ${dialect.now} ORDER BY due_at LIMIT ${sql.lit(HEAD_SIZE)}`.execute(queries);
  if (head.length === 0) return [];
  const findCandidatesIn = (limits: ClaimRequest['limits'], waiting: RawBuilder<unknown>) =>
    loadCandidates(queries, dialect, options, { ...request, limits }, waiting);
  const headWebhooks = sql`
    waiting (webhook_id) AS (
      SELECT id FROM webhooks WHERE id IN (${sql.join([...new Set(head.map(({ webhookId }) => webhookId))])})
    )`;
  if (head.length < HEAD_SIZE) return findCandidatesIn(request.limits, headWebhooks);

  const { working, slow, failing } = request.limits;
  const onlyWorking = { working, slow: 0, failing: 0 };
  const headCandidates = await findCandidatesIn(onlyWorking, headWebhooks);
  const workingCandidates =
    headCandidates.length >= working ? headCandidates : await findCandidatesIn(onlyWorking, ALL_WAITING);
  const troubledCandidates =
    slow + failing === 0
      ? []
      : await findCandidatesIn({ working: 0, slow, failing }, selectTroubled(request.slowWebhooks));
  return [...workingCandidates, ...troubledCandidates];
}

/** A common table expression of the webhooks with pending deliveries. It reads one index entry for each webhook. */
export const ALL_WAITING = sql`
  RECURSIVE waiting (webhook_id) AS (
    SELECT min(webhook_id) FROM deliveries WHERE status = 'pending'
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id > w.webhook_id)
    FROM waiting w WHERE w.webhook_id IS NOT NULL
  )`;

function selectTroubled(slowWebhooks: readonly string[]): RawBuilder<unknown> {
  const failing = sql`SELECT id FROM webhooks WHERE status = 'enabled' AND failing_since IS NOT NULL`;
  if (slowWebhooks.length === 0) return sql`waiting (webhook_id) AS (${failing})`;
  return sql`waiting (webhook_id) AS (${failing} UNION SELECT id FROM webhooks WHERE id IN (${sql.join(slowWebhooks)}))`;
}

/** @param waiting a common table expression of the webhooks to check */
async function loadCandidates(
  queries: Queries,
  { now }: Dialect,
  options: PlaceOptions,
  { limits, slowWebhooks, except }: ClaimRequest,
  waiting: RawBuilder<unknown>,
): Promise<Candidate[]> {
  const exclusion = except.length === 0 ? sql`` : sql`AND webhooks.id NOT IN (${sql.join(except)})`;
  const isSlow = slowWebhooks.length === 0 ? sql`1 = 0` : sql`webhooks.id IN (${sql.join(slowWebhooks)})`;
  const { rows } = await sql<Candidate>`
    WITH ${waiting},
    states AS (
      SELECT webhooks.id AS webhook_id,
        CASE WHEN webhooks.failing_since IS NULL THEN ${sql.lit(options.perWebhook)}
          ELSE ${sql.lit(options.perFailingWebhook)} END AS places,
        CASE WHEN webhooks.failing_since IS NOT NULL THEN 'failing' WHEN ${isSlow} THEN 'slow' ELSE 'working' END
          AS standing,
        (SELECT min(d.due_at) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id = webhooks.id) AS due_at,
        (SELECT count(*) FROM deliveries d
          WHERE d.leased_until IS NOT NULL AND d.webhook_id = webhooks.id AND d.leased_until > ${now}) AS leased
      FROM waiting JOIN webhooks ON webhooks.id = waiting.webhook_id
      WHERE webhooks.status = 'enabled' ${exclusion}
    ),
    ranked AS (
      SELECT webhook_id, places, standing, due_at,
        row_number() OVER (
          PARTITION BY standing ORDER BY CASE standing WHEN 'failing' THEN random() ELSE due_at END, webhook_id
        ) AS place
      FROM states WHERE leased < places AND due_at <= ${now}
    )
    SELECT webhook_id AS "webhookId", places, standing, ${now} AS now FROM ranked
    WHERE place <= CASE standing WHEN 'working' THEN ${sql.lit(limits.working)} WHEN 'slow' THEN ${sql.lit(limits.slow)}
      ELSE ${sql.lit(limits.failing)} END
    ORDER BY due_at, webhook_id`.execute(queries);
  return rows;
}

/**
 * Counts the running deliveries of each webhook. This must be a separate statement that runs after the webhooks are
 * locked. A statement that began before the lock would not see what another gateway has claimed in the meantime.
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

interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly attempts: number;
  /** Null: the event is no longer stored. */
  readonly event: (Pick<EventTable, 'type' | 'at' | 'data'> & { readonly event_id: string }) | null;
}

interface DueRow extends Omit<DueDelivery, 'event'> {
  readonly eventId: string;
  readonly type: string | null;
  readonly at: number | null;
  readonly data: string | null;
}

/**
 * Locks and returns the deliveries that have waited longest.
 *
 * @param free how many deliveries to return of each webhook
 * @param now a fixed time, because the database would use no index if the query read the clock
 */
export async function lockDueDeliveries(
  tx: Tx,
  { skipLocked }: Dialect,
  free: readonly { readonly id: string; readonly limit: number }[],
  now: number,
): Promise<DueDelivery[]> {
  if (free.length === 0) return [];
  const subqueries = free.map(
    ({ id, limit }) => sql`SELECT * FROM (
      SELECT id, webhook_id, event_id, attempts FROM deliveries
      WHERE status = 'pending' AND webhook_id = ${id} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${limit} ${skipLocked}) AS part`,
  );
  const { rows } = await sql<DueRow>`
    SELECT due.id, due.webhook_id AS "webhookId", due.event_id AS "eventId", due.attempts,
      events.type, events.at, events.data
    FROM (${sql.join(subqueries, sql` UNION ALL `)}) AS due LEFT JOIN events ON events.id = due.event_id`.execute(tx);
  return rows.map(({ eventId, type, at, data, ...delivery }) => {
    const event = type === null || at === null || data === null ? null : { event_id: eventId, type, at, data };
    return { ...delivery, event };
  });
}

/** Makes deliveries that this gateway will not send due again. Skips deliveries that another gateway has taken over. */
export function releaseLeases(database: Database, claimed: readonly ClaimedDelivery[]): Promise<void> {
  const sorted = claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return database.transaction(async (tx) => {
    for (const { id, leasedUntil } of sorted) {
      await tx
        .updateTable('deliveries')
        .set({ leased_until: null, due_at: database.dialect.now })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .where('leased_until', '=', leasedUntil)
        .execute();
    }
  });
}
