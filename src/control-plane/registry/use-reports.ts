import { sql } from 'kysely';
import { MINUTE_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { Queries, Tx } from '../../storage/tables.ts';

/**
 * Reports of gateways on the uses of keys that they have recorded, every half minute. One that loses the database records
 * them later, and one that is killed never does.
 */

/**
 * How long after `registry.staleFor` a gateway that lost the database may still serve a key: it may have read the key
 * after its last report that it runs, and a request may have waited for the database.
 */
const MARGIN_MS = MINUTE_MS;

/** Notes that a gateway has recorded all uses up to a moment. */
export async function noteReported(database: Database, gatewayId: string, agoMs: number): Promise<void> {
  const { now } = database.dialect;
  await database.transaction(async (tx) => {
    await sql`
      UPDATE gateways SET uses_reported_at = ${now} - CAST(${Math.ceil(agoMs)} AS BIGINT)
      WHERE id = ${gatewayId}`.execute(tx);
  });
}

/** Notes that gateways are no longer listed that may have served keys until `until`, and not recorded it. */
export async function noteUnreported(tx: Tx, until: number): Promise<void> {
  await tx
    .updateTable('keys')
    .set({ unreported_until: until })
    .where('quiet_since', 'is not', null)
    .where((eb) => eb.or([eb('unreported_until', 'is', null), eb('unreported_until', '<', until)]))
    .execute();
}

/** Until when a gateway that does not stop properly may serve keys from its cache. */
export function servesUntil(lastSeenAt: number, staleForMs: number): number {
  return lastSeenAt + staleForMs + MARGIN_MS;
}

/** Times by the clock of the caller, in ms since the Unix epoch. */
export interface RecordedUses {
  /** Every gateway that may serve keys has recorded all uses up to this time; null: there is none. */
  readonly until: number | null;
  /** Gateways that are gone may have served the key until this time, and not recorded it; null: none has. */
  readonly missingUntil: number | null;
}

/**
 * Which uses of a key are recorded.
 *
 * @param clockNow by the clock of the caller. The gateways' times are the database's.
 */
export async function recordedUses(
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
    const end = servesUntil(seen_at, staleForMs);
    if (end <= readAt) {
      noteMissing(end - readAt + clockNow);
      continue;
    }
    // A request that was waiting for the database at that time is recorded with the next report.
    const reported = (uses_reported_at ?? started_at) - MARGIN_MS - readAt + clockNow;
    until = Math.min(until ?? reported, reported);
  }
  return { until, missingUntil };
}
