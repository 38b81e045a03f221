import type { Selectable } from 'kysely';
import { RegistryError } from '../../domain/registry-error.ts';
import type { Queries, AttemptRow, DeliveryTable } from '../../storage/tables.ts';
import { decodeSequence, type Page, toPage, type PageRequest } from '../../storage/paging.ts';
import { createBody, createFixedHeaders, type Outcome } from './sender.ts';
import type { Announce } from '../../storage/database.ts';
import type { WriteContext } from '../registry/write-context.ts';
import type { Viewer } from './webhook.ts';
import { findWebhook } from './webhook-rows.ts';

/** `pending`: an attempt is due, now or later; `failed`: no attempt is left. */
type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** One attempt to deliver an event. Times are milliseconds since the Unix epoch. */
interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly at: number;
  readonly durationMs: number;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** Why there was no response; null if there was one. */
  readonly error: string | null;
  /** The first KB of the response; null if there was none. */
  readonly answer: string | null;
}

/** One event for one webhook. */
export interface Delivery {
  /** `dlv_` and 20 random base62 characters. */
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** Type of the event. */
  readonly type: string;
  readonly status: DeliveryStatus;
  /** When the next attempt is due; null if there will be none. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  /** When the event was delivered, or the last attempt failed; null while the delivery is pending. */
  readonly endedAt: number | null;
  /** The last 50 attempts, oldest first. An attempt is missing if the gateway died during it. */
  readonly attempts: readonly Attempt[];
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
}

type DeliveryRow = Omit<Selectable<DeliveryTable>, 'leased_until' | 'attempts'> & { readonly type: string };

/** Lists the deliveries of a webhook or of an event, newest first. */
export async function listDeliveries(
  queries: Queries,
  condition: { readonly webhook_id: string } | { readonly event_id: string },
  { status }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  let query = selectDeliveries(queries).where((eb) => eb.and(condition));
  if (page.cursor !== undefined) {
    query = query.where('deliveries.sequence', '<', decodeSequence('deliveries', page.cursor));
  }
  if (status !== undefined) query = query.where('status', '=', status);
  const rows = await query
    .orderBy('deliveries.sequence', 'desc')
    .limit(page.limit + 1)
    .execute();
  const attempts = await loadAttempts(queries, rows);
  return toPage(
    'deliveries',
    rows,
    page.limit,
    (row) => row.sequence,
    (row) => toDelivery(row, attempts),
  );
}

export async function findDelivery(queries: Queries, id: string): Promise<Delivery | null> {
  const row = await selectDeliveries(queries).where('deliveries.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toDelivery(row, await loadAttempts(queries, [row]));
}

export function toAttemptRow(deliveryId: string, number: number, outcome: Outcome): AttemptRow {
  const { at, durationMs, status, error, answer } = outcome;
  return { delivery_id: deliveryId, number, at, duration_ms: durationMs, status, error, answer };
}

/** Selects deliveries, except for those of deleted events. */
function selectDeliveries(queries: Queries) {
  return queries
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['deliveries.sequence', 'deliveries.id', 'event_id', 'webhook_id', 'status', 'due_at', 'created_at'])
    .select(['ended_at', 'events.type']);
}

async function loadAttempts(
  queries: Queries,
  rows: readonly Pick<DeliveryRow, 'id'>[],
): Promise<ReadonlyMap<string, AttemptRow[]>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const attempts = queries.selectFrom('delivery_attempts').selectAll().where('delivery_id', 'in', ids);
  return Map.groupBy(await attempts.orderBy('number').execute(), (row) => row.delivery_id);
}

function toDelivery(row: DeliveryRow, attempts: ReadonlyMap<string, AttemptRow[]>): Delivery {
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
    attempts: (attempts.get(id) ?? []).map(toAttempt),
  };
}

function toAttempt({ number, at, duration_ms: durationMs, status, error, answer }: AttemptRow): Attempt {
  return { number, at, durationMs, status, error, answer };
}

/** The database message that says that deliveries may be due. */
const ANNOUNCEMENT = 'deliveries';

export function announceDeliveries(announce: Announce): void {
  announce(ANNOUNCEMENT);
}

/** Whether deliveries may be due. A null message means that messages may have been missed. */
export function isDeliveryNotification(message: string | null): boolean {
  return message === null || message === ANNOUNCEMENT;
}

/** The request that every attempt of a delivery sends. */
export interface SentRequest {
  /** Without the headers that differ between attempts: `webhook-timestamp` and `webhook-signature`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @throws RegistryError `delivery_not_found` */
export async function readSentRequest(queries: Queries, viewer: Viewer, id: string): Promise<SentRequest> {
  const { delivery, webhook } = await requireDelivery(queries, viewer, id);
  const events = queries.selectFrom('events').select(['type', 'at', 'data']).where('id', '=', delivery.eventId);
  const body = createBody(await events.executeTakeFirstOrThrow(), webhook.accountId);
  return { headers: createFixedHeaders(delivery.eventId), body };
}

/** Another account's deliveries are reported as not found. */
async function requireDelivery(queries: Queries, viewer: Viewer, id: string) {
  const delivery = await findDelivery(queries, id);
  const webhook = delivery && (await findWebhook(queries, viewer, delivery.webhookId));
  if (delivery === null || webhook === null) {
    throw new RegistryError('delivery_not_found', `there is no delivery ${id}`);
  }
  return { delivery, webhook };
}

/** Makes a delivery due now, whatever its status. Does not change a delivery that is being sent at this moment. */
export async function redeliver(
  { tx, dialect, announce }: Pick<WriteContext, 'tx' | 'dialect' | 'announce'>,
  viewer: Viewer,
  id: string,
): Promise<Delivery> {
  const { delivery, webhook } = await requireDelivery(tx, viewer, id);
  if (webhook.status !== 'enabled') {
    throw new RegistryError('conflict', `webhook ${webhook.id} is disabled: enable it first`);
  }
  await tx
    .updateTable('deliveries')
    .set({ status: 'pending', due_at: dialect.now, leased_until: null, ended_at: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', dialect.now)]))
    .execute();
  announceDeliveries(announce);
  return (await findDelivery(tx, id)) ?? delivery;
}
