import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Queries, Tx } from '../../storage/tables.ts';

/** Deleted at once: on SQLite, requests wait meanwhile. */
const BATCH = 500;

/**
 * Deletes a batch of the deliveries of a webhook that is deleted, with their attempts. Those of old events are deleted
 * with their event.
 *
 * @returns whether there may be more
 */
export async function sweep(database: Database): Promise<boolean> {
  const orphaned = await orphanedWebhook(database);
  if (orphaned === null) return false;
  return database.transaction(async (tx) => {
    const ids = await deliveriesOf(tx, database, orphaned);
    if (ids.length === 0) return false;
    await tx.deleteFrom('delivery_attempts').where('delivery_id', 'in', ids).execute();
    await tx.deleteFrom('deliveries').where('id', 'in', ids).execute();
    return true;
  });
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
