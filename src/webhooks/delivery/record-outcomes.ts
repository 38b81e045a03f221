import { sql } from 'kysely';
import type { Announce, Database } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { Tx } from '../../database/queries.ts';
import { disableWebhook } from '../disable.ts';
import type { Claimed } from './claim.ts';
import { insertAttempt } from './delivery-rows.ts';
import { nextDelay, type Schedule } from './schedule.ts';
import { hasArrived, type Outcome } from '../sending/sender.ts';
import { attemptOf } from './trial.ts';

/** What came of an attempt to deliver. */
export interface Result {
  readonly claimed: Claimed;
  readonly outcome: Outcome;
}

export interface ResultSettings {
  readonly schedule: Schedule;
  /** A webhook is disabled when every attempt has failed for this long. */
  readonly disableAfterMs: number;
  /** ms since the Unix epoch. */
  readonly clock: () => number;
}

const GONE = 410;

/** Writes what came of attempts, all of it or nothing. */
export function recordOutcomes(
  database: Database,
  settings: ResultSettings,
  results: readonly Result[],
): Promise<void> {
  const byWebhook = Map.groupBy(results, ({ claimed }) => claimed.webhookId);
  // In one order, so that gateways do not wait for each other in a circle.
  const webhookIds = [...byWebhook.keys()].sort();
  return database.transaction(async (tx, announce) => {
    const context = { tx, announce, dialect: database.dialect };
    const counted = new Map<string, Outcome[]>();
    for (const id of webhookIds) {
      const ofOne = byWebhook.get(id)!.sort((one, other) => (one.claimed.id < other.claimed.id ? -1 : 1));
      const outcomes: Outcome[] = [];
      for (const result of ofOne)
        if (await recordOne(context, settings.schedule, result)) outcomes.push(result.outcome);
      counted.set(id, outcomes);
    }
    for (const [id, outcomes] of counted) await noteHealth(context, settings, id, outcomes);
  });
}

interface Context {
  readonly tx: Tx;
  readonly announce: Announce;
  readonly dialect: Dialect;
}

/**
 * What has arrived counts, even if the lease had lapsed. A failure then does not: another gateway may be trying.
 *
 * @returns whether it counts
 */
async function recordOne(
  { tx, dialect: { now } }: Context,
  schedule: Schedule,
  { claimed, outcome }: Result,
): Promise<boolean> {
  const { id, attempts, leasedUntil } = claimed;
  const attempted = { attempts: sql<number>`attempts + 1`, leased_until: null };
  const ended = { ...attempted, ended_at: now };
  const delay = nextDelay(schedule, attempts + 1, outcome.retryAfterMs);
  const updated = hasArrived(outcome)
    ? tx
        .updateTable('deliveries')
        .set({ ...ended, status: 'delivered' })
        .where('status', '<>', 'delivered')
    : tx
        .updateTable('deliveries')
        .set(delay === null ? { ...ended, status: 'failed' } : { ...attempted, due_at: sql<number>`${now} + ${delay}` })
        .where('status', '=', 'pending')
        .where('leased_until', '=', leasedUntil);
  const row = await updated.where('id', '=', id).returning('attempts').executeTakeFirst();
  if (row === undefined) return false;
  await insertAttempt(tx, id, { number: row.attempts, ...attemptOf(outcome) });
  return true;
}

/** Whether the webhook fails, and since when; it may be disabled for that. */
async function noteHealth(
  context: Context,
  { disableAfterMs, clock }: ResultSettings,
  webhookId: string,
  outcomes: readonly Outcome[],
): Promise<void> {
  const { tx, dialect } = context;
  const webhook = tx.updateTable('webhooks').where('id', '=', webhookId).where('status', '=', 'enabled');
  if (outcomes.length === 0) return;
  if (outcomes.some(({ status }) => status === GONE)) return disableWebhook(context, webhookId, 'gone', clock());
  if (outcomes.some(hasArrived)) {
    await webhook.set({ failing_since: null }).where('failing_since', 'is not', null).execute();
    return;
  }
  await webhook.set({ failing_since: dialect.now }).where('failing_since', 'is', null).execute();
  const since = sql<number>`${dialect.now} - ${sql.lit(disableAfterMs)}`;
  const failing = tx.selectFrom('webhooks').select('id').where('id', '=', webhookId).where('status', '=', 'enabled');
  const tooLong = await failing.where('failing_since', '<=', since).executeTakeFirst();
  if (tooLong !== undefined) await disableWebhook(context, webhookId, 'failing', clock());
}
