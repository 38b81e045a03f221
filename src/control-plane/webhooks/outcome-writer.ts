import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sql } from 'kysely';
import type { Tx } from '../../storage/tables.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { Announce, Database } from '../../storage/database.ts';
import type { Dialect } from '../../storage/dialect.ts';
import { recordHealth, type Attempt, type WebhookHealthOptions } from './disable-gone-or-failing.ts';
import type { ClaimedDelivery } from './claim.ts';
import { toAttemptRow } from './delivery.ts';
import { computeNextDelay, type Schedule } from './retry-schedule.ts';
import { hasArrived, type Outcome } from './sender.ts';

/** Outcomes are written in batches, so that a busy moment costs one transaction. */
const MAX_BATCH = 50;
const PAUSE_MS = 500;

/**
 * Maximum number of stored attempts of a delivery, because each redelivery on request adds one. The last attempts are
 * kept.
 */
const MAX_KEPT_ATTEMPTS = 50;

interface PendingResult extends Result {
  readonly onWritten: () => void;
}

/**
 * Writes the outcomes of attempts. Callers wait until their outcome is written, which limits the number of pending
 * outcomes.
 */
export class OutcomeWriter {
  readonly #database: Database;
  readonly #options: OutcomeOptions;
  readonly #logger: Logger;
  #pending: PendingResult[] = [];
  #isWriting = false;
  #isClosed = false;

  constructor(database: Database, options: OutcomeOptions, logger: Logger) {
    this.#database = database;
    this.#options = options;
    this.#logger = logger;
  }

  /** Resolves when the result is written. While the database is unavailable, writing is retried until `close`. */
  write(result: Result): Promise<void> {
    return new Promise((onWritten) => {
      this.#pending.push({ ...result, onWritten });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /** Stops retrying. Unwritten outcomes are lost, and another gateway sends the events again. */
  close(): void {
    this.#isClosed = true;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Wait a moment, so that outcomes that arrive together are written together.
    await new Promise(setImmediate);
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, MAX_BATCH);
      await this.#writeBatch(batch);
      for (const { onWritten: written } of batch) written();
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly Result[]): Promise<void> {
    for (;;) {
      try {
        return await recordOutcomes(this.#database, this.#options, batch);
      } catch (error) {
        if (this.#isClosed) return;
        if (!(error instanceof StoreUnavailable)) return this.#writeEach(batch, error);
      }
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }

  /** Writes outcomes one by one, so that an outcome that cannot be written does not block the others. */
  async #writeEach(batch: readonly Result[], error: unknown): Promise<void> {
    const [firstResult] = batch;
    if (batch.length === 1) {
      const delivery = firstResult?.claimed.id;
      this.#logger.error({ err: error, delivery }, 'the result of a delivery cannot be written; it will be sent again');
      return;
    }
    for (const result of batch) await this.#writeBatch([result]);
  }
}

/** The outcome of an attempt to deliver. */
interface Result {
  readonly claimed: ClaimedDelivery;
  readonly outcome: Outcome;
}

export interface OutcomeOptions extends WebhookHealthOptions {
  readonly schedule: Schedule;
}

/** Writes the outcomes of attempts, all or nothing. */
export function recordOutcomes(database: Database, options: OutcomeOptions, results: readonly Result[]): Promise<void> {
  // Sorted, so that gateways never deadlock.
  const sortedResults = results.toSorted((one, other) => (one.claimed.id < other.claimed.id ? -1 : 1));
  return database.transaction(async (tx, announce) => {
    const context = { tx, announce, dialect: database.dialect };
    const countedResults = [
      ...(await recordArrived(
        context,
        sortedResults.filter(({ outcome }) => hasArrived(outcome)),
      )),
      ...(await recordFailed(
        context,
        options.schedule,
        sortedResults.filter(({ outcome }) => !hasArrived(outcome)),
      )),
    ];
    await insertAttempts(tx, countedResults);
    await recordHealth(
      context,
      options,
      Map.groupBy(countedResults, ({ claimed }) => claimed.webhookId),
    );
  });
}

interface Context {
  readonly tx: Tx;
  readonly announce: Announce;
  readonly dialect: Dialect;
}

/** A result that counts as an attempt. */
type CountedResult = Result & Attempt;

const ATTEMPT_COLUMNS = { attempts: sql<number>`attempts + 1`, leased_until: null };

/** Counts each delivery that arrived once, even if its lease had ended or two gateways sent it. */
async function recordArrived({ tx, dialect: { now } }: Context, results: readonly Result[]): Promise<CountedResult[]> {
  if (results.length === 0) return [];
  const ids = results.map(({ claimed }) => claimed.id);
  const update = tx.updateTable('deliveries').set({ ...ATTEMPT_COLUMNS, status: 'delivered', ended_at: now });
  const rows = await update
    .where('id', 'in', ids)
    .where('status', '<>', 'delivered')
    .returning(['id', 'attempts'])
    .execute();
  const attemptsById = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  return results.flatMap((result) => {
    const number = attemptsById.get(result.claimed.id);
    return number === undefined ? [] : [{ ...result, number }];
  });
}

/** A failure does not count if the lease has ended, because another gateway may be sending the event. */
async function recordFailed(
  { tx, dialect: { now } }: Context,
  schedule: Schedule,
  results: readonly Result[],
): Promise<CountedResult[]> {
  const countedResults: CountedResult[] = [];
  for (const result of results) {
    const { id, attempts, leasedUntil } = result.claimed;
    const delay = computeNextDelay(schedule, attempts + 1, result.outcome.retryAfterMs);
    const nextColumns =
      delay === null ? { status: 'failed', ended_at: now } : { due_at: sql<number>`${now} + ${delay}` };
    const update = tx
      .updateTable('deliveries')
      .set({ ...ATTEMPT_COLUMNS, ...nextColumns })
      .where('id', '=', id);
    const row = await update
      .where('status', '=', 'pending')
      .where('leased_until', '=', leasedUntil)
      .returning('attempts')
      .executeTakeFirst();
    if (row !== undefined) countedResults.push({ ...result, number: row.attempts });
  }
  return countedResults;
}

async function insertAttempts(tx: Tx, countedResults: readonly CountedResult[]): Promise<void> {
  if (countedResults.length === 0) return;
  const rows = countedResults.map(({ claimed, number, outcome }) => toAttemptRow(claimed.id, number, outcome));
  await tx.insertInto('delivery_attempts').values(rows).execute();
  for (const { delivery_id: id, number } of rows) {
    if (number <= MAX_KEPT_ATTEMPTS) continue;
    const attempts = tx.deleteFrom('delivery_attempts').where('delivery_id', '=', id);
    await attempts.where('number', '<=', number - MAX_KEPT_ATTEMPTS).execute();
  }
}
