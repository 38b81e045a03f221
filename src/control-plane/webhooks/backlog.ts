import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';

/** What waits to be delivered, at all gateways together. */
export interface Backlog {
  /** Deliveries that are not delivered yet, due or not; more than `MAX_COUNTED` are not counted. */
  readonly pending: number;
  /** How long the one that is due has waited that has waited longest, in ms. Webhooks that fail are left out. */
  readonly lagMs: number;
}

export const MAX_COUNTED = 10_000;
export const NO_BACKLOG: Backlog = { pending: 0, lagMs: 0 };

/** Reads a few entries of an index for each webhook with pending deliveries, and `MAX_COUNTED` in all. */
export function readBacklog(database: Database): Promise<Backlog> {
  const { now } = database.dialect;
  return database.read(async (queries) => {
    const { rows } = await sql<Backlog>`
      WITH RECURSIVE waiting (webhook_id) AS (
        SELECT min(webhook_id) FROM deliveries WHERE status = 'pending'
        UNION ALL
        SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_id > w.webhook_id)
        FROM waiting w WHERE w.webhook_id IS NOT NULL
      )
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
