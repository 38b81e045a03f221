import type { Logger } from 'pino';
import { sql } from 'kysely';
import type { Queries, Tx } from '../../storage/tables.ts';
import { type Clock, MINUTE_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import { isEventNotification } from '../events/event-outbox.ts';
import { BackgroundLoop } from './background-loop.ts';
import { isDeliveryNotification } from './delivery.ts';
import { Deliverer } from './deliverer.ts';
import { type ClaimOptions, ALL_WAITING, LEASE_MS } from './claim.ts';
import { type Schedule, defaultSchedule } from './retry-schedule.ts';
import { DISABLE_AFTER_MS } from './disable-gone-or-failing.ts';
import type { Outcome, Sender } from './sender.ts';
import type { EventTypes } from './event-types.ts';
import { routeEvents } from './route-events.ts';

export interface DeliveryServiceOptions {
  readonly types: EventTypes;
  readonly sender: Sender;
  readonly logger: Logger;
  readonly clock: Clock;
  /** While this returns true, the gateway is draining, and no new attempts are started. */
  readonly isStopping?: () => boolean;
  /** Called after every attempt. */
  readonly onAttempt?: (outcome: Outcome) => void;
  /** This and the following options are only for tests, so that they do not have to wait. */
  readonly schedule?: Schedule;
  readonly disableAfterMs?: number;
  readonly claims?: ClaimOptions;
  readonly pollMs?: number;
}

/**
 * Eight concurrent attempts deliver several hundred events per second to an endpoint that responds within milliseconds.
 */
const CLAIMS: ClaimOptions = { perWebhook: 8, perFailingWebhook: 1, leaseMs: LEASE_MS };
/** Polling finds deliveries when they become due. It also finds deliveries whose database message was missed. */
const POLL_MS = 1000;
const SWEEP_MS = MINUTE_MS;
const COUNT_MS = 10_000;

/**
 * Delivers events from the outbox to the endpoints. Any number of gateways share the work.
 *
 * Leases and limits per webhook are worth their complexity: neither a slow endpoint nor a dead gateway delays other
 * deliveries, and no lock is held during a call.
 */
export class DeliveryService {
  readonly #router: BackgroundLoop;
  readonly #deliverer: Deliverer;
  readonly #sweeper: BackgroundLoop;
  readonly #counter: BackgroundLoop;
  #backlog = NO_BACKLOG;

  constructor(database: Database, options: DeliveryServiceOptions) {
    const { types, logger } = options;
    const { isStopping = () => false, onAttempt = () => {}, schedule = defaultSchedule } = options;
    const { disableAfterMs = DISABLE_AFTER_MS, claims = CLAIMS, pollMs = POLL_MS } = options;
    const defaults = { isStopping, onAttempt, schedule, disableAfterMs, claims, pollMs };
    this.#deliverer = new Deliverer(database, { ...options, ...defaults });
    const route = async () => {
      const { deliveries, hasMore: more } = await routeEvents(database, types);
      if (deliveries > 0) this.#deliverer.wake();
      return more;
    };
    this.#router = new BackgroundLoop(route, { taskName: 'routing events', everyMs: pollMs, logger });
    const sweepOnce = () => sweepDeliveries(database);
    const sweepTask = 'removing deliveries of deleted webhooks';
    this.#sweeper = new BackgroundLoop(sweepOnce, { taskName: sweepTask, everyMs: SWEEP_MS, logger });
    const countBacklog = async () => {
      this.#backlog = await readBacklog(database);
      return false;
    };
    this.#counter = new BackgroundLoop(countBacklog, { taskName: 'counting deliveries', everyMs: COUNT_MS, logger });
    database.onChange((message) => {
      if (isEventNotification(message)) this.#router.wake();
      if (isDeliveryNotification(message)) this.#deliverer.wake();
    });
  }

  /**
   * Why events are not delivered, as text for operators. Null: events are delivered, or the database is unavailable.
   */
  get failure(): string | null {
    return this.#router.failure ?? this.#deliverer.failure ?? this.#sweeper.failure;
  }

  /** The backlog as it was at most 10 s ago. */
  get backlog(): Backlog {
    return this.#backlog;
  }

  /** Number of running attempts. */
  get inFlight(): number {
    return this.#deliverer.inFlight;
  }

  /**
   * @param waitMs how long to wait for running attempts; another gateway sends the events of unfinished attempts again
   */
  async close(waitMs: number): Promise<void> {
    const loops = [this.#router, this.#sweeper, this.#counter];
    await Promise.all([...loops.map((loop) => loop.stop()), this.#deliverer.close(waitMs)]);
  }
}

/** Deliveries that are pending at all gateways together. */
export interface Backlog {
  /** Number of deliveries that are not finished yet, due or not, counted up to `MAX_COUNTED`. */
  readonly pending: number;
  /** How long the oldest due delivery has waited, in ms. Failing webhooks are ignored. */
  readonly lagMs: number;
}

const MAX_COUNTED = 10_000;
const NO_BACKLOG: Backlog = { pending: 0, lagMs: 0 };

/** Reads a few index entries for each webhook with pending deliveries, and at most `MAX_COUNTED` entries to count. */
export function readBacklog(database: Database): Promise<Backlog> {
  const { now } = database.dialect;
  return database.read(async (queries) => {
    const { rows } = await sql<Backlog>`
      WITH ${ALL_WAITING}
      SELECT
        (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT ${sql.lit(MAX_COUNTED)}) AS counted)
          AS pending,
        ${now} - (
          SELECT min((SELECT min(d.due_at) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id = webhooks.id))
          FROM waiting JOIN webhooks ON webhooks.id = waiting.webhook_id
          WHERE webhooks.status = 'enabled' AND webhooks.failing_since IS NULL
        ) AS "lagMs"`.execute(queries);
    const [row] = rows;
    return { pending: row?.pending ?? 0, lagMs: Math.max(0, row?.lagMs ?? 0) };
  });
}

/** Maximum number of deliveries deleted together. On SQLite, requests wait until they are deleted. */
const SWEEP_BATCH = 500;

/**
 * Deletes a batch of the deliveries of a deleted webhook, with their attempts. Deliveries of old events are deleted
 * together with the events.
 *
 * @returns whether there may be more
 */
export async function sweepDeliveries(database: Database): Promise<boolean> {
  const webhookId = await findOrphanedWebhook(database);
  if (webhookId === null) return false;
  return database.transaction(async (tx) => {
    const ids = await listDeliveries(tx, database, webhookId);
    if (ids.length === 0) return false;
    await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', ids).execute();
    await tx.deleteFrom('deliveries').where('id', 'in', ids).execute();
    return true;
  });
}

/** Finds a deleted webhook that still has deliveries. Reads one index entry for each webhook with deliveries. */
function findOrphanedWebhook(database: Database): Promise<string | null> {
  return database.read(async (queries: Queries) => {
    const { rows } = await sql<{ webhookId: string }>`
      WITH RECURSIVE known (webhook_id) AS (
        SELECT min(webhook_id) FROM deliveries
        UNION ALL
        SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.webhook_id > k.webhook_id)
        FROM known k WHERE k.webhook_id IS NOT NULL
      )
      SELECT webhook_id AS "webhookId" FROM known
      WHERE webhook_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = known.webhook_id)
      LIMIT 1`.execute(queries);
    return rows[0]?.webhookId ?? null;
  });
}

async function listDeliveries(tx: Tx, { dialect }: Database, webhookId: string): Promise<string[]> {
  const deliveries = tx.selectFrom('deliveries').select('id').where('webhook_id', '=', webhookId);
  const rows = await deliveries.orderBy('sequence').limit(SWEEP_BATCH).modifyEnd(dialect.skipLocked).execute();
  return rows.map(({ id }) => id);
}
