import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Queries, Tx } from '../database/queries.ts';

/** How long deliveries are kept, in ms: as long as events. */
export const KEPT_MS = 30 * 86_400_000;
/** Deleted at once: on SQLite, requests wait meanwhile. */
const BATCH = 500;

/**
 * Deletes a batch of deliveries that are old, or whose webhook is deleted, with their attempts.
 *
 * @returns whether there may be more
 */
export async function sweep(database: Database): Promise<boolean> {
  const orphaned = await orphanedWebhook(database);
  const deleted = await database.transaction(async (tx) => {
    const ids = orphaned === null ? await oldDeliveries(tx, database) : await deliveriesOf(tx, database, orphaned);
    if (ids.length === 0) return 0;
    await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', ids).execute();
    await tx.deleteFrom('deliveries').where('id', 'in', ids).execute();
    return ids.length;
  });
  return orphaned === null ? deleted === BATCH : deleted > 0;
}

/** A webhook that is deleted, and has deliveries still. Reads one entry of an index for each webhook with deliveries. */
function orphanedWebhook(database: Database): Promise<string | null> {
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

async function deliveriesOf(tx: Tx, { dialect }: Database, webhookId: string): Promise<string[]> {
  const deliveries = tx.selectFrom('deliveries').select('id').where('webhook_id', '=', webhookId);
  const rows = await deliveries.orderBy('sequence').limit(BATCH).modifyEnd(dialect.skipLocked).execute();
  return rows.map(({ id }) => id);
}

/** The oldest are those with the lowest sequence. */
async function oldDeliveries(tx: Tx, { dialect }: Database): Promise<string[]> {
  const isOld = sql<number>`CASE WHEN created_at < ${dialect.now} - ${sql.lit(KEPT_MS)} THEN 1 ELSE 0 END`;
  const deliveries = tx.selectFrom('deliveries').select(['id', isOld.as('isOld')]);
  const rows = await deliveries.orderBy('sequence').limit(BATCH).modifyEnd(dialect.skipLocked).execute();
  return rows.filter((row) => row.isOld === 1).map(({ id }) => id);
}
