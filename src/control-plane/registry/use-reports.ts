import { sql } from 'kysely';
import { MINUTE_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { Queries, Tx } from '../../storage/tables.ts';

/**
 * Every half minute, gateways report up to when they have recorded the uses of keys. A gateway that loses the database
 * records its uses later. A gateway that is killed never records them.
 */

/**
 * A gateway that lost the database may serve a key for `registry.staleFor` after its last sign of life, plus at most
 * this time: it may have read the key after that sign of life, and a request may have waited for the database.
 */
const SERVING_MARGIN_MS = MINUTE_MS;

/** Notes that a gateway has recorded all uses up to `agoMs` ago. */
export async function recordUseReport(database: Database, gatewayId: string, agoMs: number): Promise<void> {
  const { now } = database.dialect;
  await database.transaction(async (tx) => {
    await sql`
      UPDATE gateways SET uses_reported_at = ${now} - CAST(${Math.ceil(agoMs)} AS BIGINT)
      WHERE id = ${gatewayId}`.execute(tx);
  });
}

/** Notes that gateways that are no longer listed may have served keys until `until` without recording it. */
export async function recordUnreportedUses(tx: Tx, until: number): Promise<void> {
  await tx
    .updateTable('keys')
    .set({ unreported_until: until })
    .where('quiet_since', 'is not', null)
    .where((eb) => eb.or([eb('unreported_until', 'is', null), eb('unreported_until', '<', until)]))
    .execute();
}

/** The time until which a gateway that was not stopped properly may serve keys from its cache. */
export function getServingEnd(lastSeenAt: number, staleForMs: number): number {
  return lastSeenAt + staleForMs + SERVING_MARGIN_MS;
}

/** Times by the clock of the caller, in ms since the Unix epoch. */
export interface RecordedUses {
  /** Every gateway that may serve keys has recorded all uses up to this time; null: no gateway may serve keys. */
  readonly until: number | null;
  /** Gateways that are gone may have served the key until this time without recording it; null: no such gateway. */
  readonly missingUntil: number | null;
}

/**
 * Finds up to when the uses of a key are recorded.
 *
 * @param clockNow the current time by the caller's clock; the times of gateways are by the database's clock
 */
export async function findRecordedUses(
  queries: Queries,
  { now }: Dialect,
  keyId: string,
  { staleForMs, clockNow }: { readonly staleForMs: number; readonly clockNow: number },
): Promise<RecordedUses> {
  const rows = await queries.selectFrom('gateways').selectAll().select(now.as('now')).execute();
  const key = await queries
    .selectFrom('keys')
    .select(['unreported_until', now.as('now')])
    .where('id', '=', keyId)
    .executeTakeFirst();
  let until: number | null = null;
  let missingUntil: number | null = null;
  const noteMissing = (time: number) => (missingUntil = Math.max(missingUntil ?? time, time));
  if (typeof key?.unreported_until === 'number') noteMissing(key.unreported_until - key.now + clockNow);
  for (const { started_at, seen_at, stopped_at, uses_reported_at, now: readAt } of rows) {
    if (stopped_at !== null) continue;
    const servingEnd = getServingEnd(seen_at, staleForMs);
    if (servingEnd <= readAt) {
      noteMissing(servingEnd - readAt + clockNow);
      continue;
    }
    // A request that was waiting for the database at the time of a report is only recorded with the next report.
    const reportedUntil = (uses_reported_at ?? started_at) - SERVING_MARGIN_MS - readAt + clockNow;
    until = Math.min(until ?? reportedUntil, reportedUntil);
  }
  return { until, missingUntil };
}
