import type { Selectable } from 'kysely';
import type { AttemptRow, DeliveryTable, Queries } from '../../../storage/tables.ts';
import { decodeSequence, type Page, pageOf, type PageRequest } from '../../../base/paging.ts';
import type { Outcome } from '../sending/sender.ts';
import type { Attempt, Delivery, DeliveryFilter, DeliveryStatus } from './delivery.ts';

/** The tables of deliveries and their attempts: rows in and out, no rules. */

type DeliveryRow = Omit<Selectable<DeliveryTable>, 'leased_until' | 'attempts'> & { readonly type: string };

/** Newest first: those of a webhook, or those of an event. */
export async function listDeliveries(
  queries: Queries,
  of: { readonly webhook_id: string } | { readonly event_id: string },
  { status }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  let query = deliveries(queries).where((eb) => eb.and(of));
  if (page.cursor !== undefined) {
    query = query.where('deliveries.sequence', '<', decodeSequence('deliveries', page.cursor));
  }
  if (status !== undefined) query = query.where('status', '=', status);
  const rows = await query
    .orderBy('deliveries.sequence', 'desc')
    .limit(page.limit + 1)
    .execute();
  const attempts = await attemptsOf(queries, rows);
  return pageOf(
    'deliveries',
    rows,
    page.limit,
    (row) => row.sequence,
    (row) => deliveryOf(row, attempts),
  );
}

export async function deliveryById(queries: Queries, id: string): Promise<Delivery | null> {
  const row = await deliveries(queries).where('deliveries.id', '=', id).executeTakeFirst();
  return row === undefined ? null : deliveryOf(row, await attemptsOf(queries, [row]));
}

export function attemptRow(deliveryId: string, number: number, outcome: Outcome): AttemptRow {
  const { at, durationMs, status, error, answer } = outcome;
  return { delivery_id: deliveryId, number, at, duration_ms: durationMs, status, error, answer };
}

/** Without those of events that are not kept any more. */
function deliveries(queries: Queries) {
  return queries
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['deliveries.sequence', 'deliveries.id', 'event_id', 'webhook_id', 'status', 'due_at', 'created_at'])
    .select(['ended_at', 'events.type']);
}

async function attemptsOf(
  queries: Queries,
  rows: readonly Pick<DeliveryRow, 'id'>[],
): Promise<ReadonlyMap<string, AttemptRow[]>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const attempts = queries.selectFrom('delivery_attempts').selectAll().where('delivery_id', 'in', ids);
  return Map.groupBy(await attempts.orderBy('number').execute(), (row) => row.delivery_id);
}

function deliveryOf(row: DeliveryRow, attempts: ReadonlyMap<string, AttemptRow[]>): Delivery {
  const { id, type } = row;
  return {
    id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    type,
    status: row.status as DeliveryStatus,
    dueAt: row.status === 'pending' ? row.due_at : null,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    attempts: (attempts.get(id) ?? []).map(attemptOf),
  };
}

function attemptOf({ number, at, duration_ms: durationMs, status, error, answer }: AttemptRow): Attempt {
  return { number, at, durationMs, status, error, answer };
}
