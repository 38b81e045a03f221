import { sql } from 'kysely';
import type { Announce, Database } from '../../../storage/database.ts';
import type { Dialect } from '../../../storage/dialect.ts';
import type { Tx } from '../../../storage/tables.ts';
import { noteHealth, type Attempt, type HealthSettings } from '../disable-gone-or-failing.ts';
import type { Claimed } from './claim.ts';
import { attemptRow } from './delivery-rows.ts';
import { nextDelay, type Schedule } from './schedule.ts';
import { hasArrived, type Outcome } from '../sending/sender.ts';

/** What came of an attempt to deliver. */
export interface Result {
  readonly claimed: Claimed;
  readonly outcome: Outcome;
}

export interface ResultSettings extends HealthSettings {
  readonly schedule: Schedule;
}

/** Writes what came of attempts, all of it or nothing. */
export function recordOutcomes(
  database: Database,
  settings: ResultSettings,
  results: readonly Result[],
): Promise<void> {
  // In one order, so that gateways do not wait for each other in a circle.
  const sorted = results.toSorted((one, other) => (one.claimed.id < other.claimed.id ? -1 : 1));
  return database.transaction(async (tx, announce) => {
    const context = { tx, announce, dialect: database.dialect };
    const counted = [
      ...(await recordArrived(
        context,
        sorted.filter(({ outcome }) => hasArrived(outcome)),
      )),
      ...(await recordFailed(
        context,
        settings.schedule,
        sorted.filter(({ outcome }) => !hasArrived(outcome)),
      )),
    ];
    await insertAttempts(tx, counted);
    await noteHealth(
      context,
      settings,
      Map.groupBy(counted, ({ claimed }) => claimed.webhookId),
    );
  });
}

interface Context {
  readonly tx: Tx;
  readonly announce: Announce;
  readonly dialect: Dialect;
}

/** A result that counts. */
type Counted = Result & Attempt;

const ATTEMPTED = { attempts: sql<number>`attempts + 1`, leased_until: null };

/** What has arrived counts, even if the lease had lapsed; once, even if two gateways sent it. */
async function recordArrived({ tx, dialect: { now } }: Context, results: readonly Result[]): Promise<Counted[]> {
  if (results.length === 0) return [];
  const ids = results.map(({ claimed }) => claimed.id);
  const delivered = tx.updateTable('deliveries').set({ ...ATTEMPTED, status: 'delivered', ended_at: now });
  const rows = await delivered
    .where('id', 'in', ids)
    .where('status', '<>', 'delivered')
    .returning(['id', 'attempts'])
    .execute();
  const numbers = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  return results.flatMap((result) => {
    const number = numbers.get(result.claimed.id);
    return number === undefined ? [] : [{ ...result, number }];
  });
}

/** A failure does not count if the lease had lapsed: another gateway may be trying. */
async function recordFailed(
  { tx, dialect: { now } }: Context,
  schedule: Schedule,
  results: readonly Result[],
): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const result of results) {
    const { id, attempts, leasedUntil } = result.claimed;
    const delay = nextDelay(schedule, attempts + 1, result.outcome.retryAfterMs);
    const next = delay === null ? { status: 'failed', ended_at: now } : { due_at: sql<number>`${now} + ${delay}` };
    const failed = tx
      .updateTable('deliveries')
      .set({ ...ATTEMPTED, ...next })
      .where('id', '=', id);
    const row = await failed
      .where('status', '=', 'pending')
      .where('leased_until', '=', leasedUntil)
      .returning('attempts')
      .executeTakeFirst();
    if (row !== undefined) counted.push({ ...result, number: row.attempts });
  }
  return counted;
}

async function insertAttempts(tx: Tx, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  const rows = counted.map(({ claimed, number, outcome }) => attemptRow(claimed.id, number, outcome));
  await tx.insertInto('delivery_attempts').values(rows).execute();
}
