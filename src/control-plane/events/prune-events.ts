import { setImmediate } from 'node:timers/promises';
import type { Tx } from '../../storage/tables.ts';
import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { GatewayEventName } from './gateway-events.ts';

/** Events per transaction, each with its deliveries. Requests are served between two transactions. */
const CHUNK_SIZE = 200;

/**
 * These notices are published up to 30 days ahead (`src/control-plane/schedule/operation-notices.ts`), and are kept for
 * at least that long. If one were deleted earlier, it would be published again.
 */
const EARLY_NOTICE: GatewayEventName = 'operation.sunset_soon';
export const EARLY_NOTICE_MS = 30 * DAY_MS;

/**
 * Deletes old events and their deliveries. A service may publish an event long after it happened, so an old event may
 * have deliveries in progress. Therefore events with recent deliveries are kept.
 *
 * @param isStopped called between two transactions
 * @returns the number of deleted events
 */
export async function pruneEvents(
  database: Database,
  keepMs: number,
  now: number,
  isStopped: () => boolean,
): Promise<number> {
  let total = 0;
  for (let deleted = CHUNK_SIZE; deleted === CHUNK_SIZE && !isStopped(); total += deleted) {
    deleted = await database.transaction((tx) => deleteChunk(tx, now - keepMs, now - EARLY_NOTICE_MS));
    await setImmediate();
  }
  return total;
}

async function deleteChunk(tx: Tx, cutoff: number, noticeCutoff: number): Promise<number> {
  const oldEvents = tx
    .selectFrom('events')
    .select('id')
    .where('at', '<', cutoff)
    .where('routed', '=', 1)
    .where((eb) => eb.or([eb('type', '<>', EARLY_NOTICE), eb('at', '<', noticeCutoff)]))
    .where((eb) => {
      const eventDeliveries = eb.selectFrom('deliveries').select('id').whereRef('event_id', '=', 'events.id');
      return eb.not(eb.exists(eventDeliveries.where('created_at', '>=', cutoff)));
    });
  const rows = await oldEvents.orderBy('at').limit(CHUNK_SIZE).execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await deleteEvents(tx, ids);
  return ids.length;
}

/** Deletes events with their deliveries. */
export async function deleteEvents(tx: Tx, ids: readonly string[]): Promise<void> {
  const deliveries = tx.selectFrom('deliveries').select('id').where('event_id', 'in', ids);
  await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', deliveries).execute();
  await tx.deleteFrom('deliveries').where('event_id', 'in', ids).execute();
  await tx.deleteFrom('events').where('id', 'in', ids).execute();
}
