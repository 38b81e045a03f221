import { setImmediate } from 'node:timers/promises';
import type { Tx } from '../../storage/tables.ts';
import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { GatewayEventName } from './gateway-events.ts';

/** Events per transaction, each with its deliveries. Requests are served between two transactions. */
const CHUNK = 200;

/**
 * These notices are published up to 30 days ahead (`src/control-plane/schedule/operation-notices.ts`), and are kept for
 * at least that long. If one were deleted earlier, it would be published again.
 */
const TOLD_AHEAD: GatewayEventName = 'operation.sunset_soon';
export const TOLD_AHEAD_MS = 30 * DAY_MS;

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
  for (let deleted = CHUNK; deleted === CHUNK && !isStopped(); total += deleted) {
    deleted = await database.transaction((tx) => deleteChunk(tx, now - keepMs, now - TOLD_AHEAD_MS));
    await setImmediate();
  }
  return total;
}

async function deleteChunk(tx: Tx, before: number, aheadBefore: number): Promise<number> {
  const old = tx
    .selectFrom('events')
    .select('id')
    .where('at', '<', before)
    .where('routed', '=', 1)
    .where((eb) => eb.or([eb('type', '<>', TOLD_AHEAD), eb('at', '<', aheadBefore)]))
    .where((eb) => {
      const ofEvent = eb.selectFrom('deliveries').select('id').whereRef('event_id', '=', 'events.id');
      return eb.not(eb.exists(ofEvent.where('created_at', '>=', before)));
    });
  const rows = await old.orderBy('at').limit(CHUNK).execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const deliveries = tx.selectFrom('deliveries').select('id').where('event_id', 'in', ids);
  await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', deliveries).execute();
  await tx.deleteFrom('deliveries').where('event_id', 'in', ids).execute();
  await tx.deleteFrom('events').where('id', 'in', ids).execute();
  return ids.length;
}
