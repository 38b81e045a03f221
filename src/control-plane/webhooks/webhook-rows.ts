import { type Selectable, sql, type SqlBool } from 'kysely';
import type { WebhookTable, Queries, Tx } from '../../storage/tables.ts';
import type { Page, PageRequest } from '../../storage/paging.ts';
import { createSearchCondition } from '../../storage/search-condition.ts';
import { readSortedPage, type SortValue } from '../../storage/sorted-page.ts';
import type {
  DisabledReason,
  Viewer,
  Webhook,
  WebhookFilter,
  WebhookOrder,
  WebhookSort,
  WebhookStatus,
} from './webhook.ts';

/** Reads and writes the rows of the `webhooks` table. It enforces no rules. */

/** All columns except the secrets. */
const VISIBLE_COLUMNS = [
  'sequence',
  'id',
  'account_id',
  'url',
  'description',
  'types',
  'status',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'previous_secret_until',
  'created_at',
  'revision',
] as const;

type VisibleRow = Pick<Selectable<WebhookTable>, (typeof VISIBLE_COLUMNS)[number]>;

/** @returns null also for a webhook that the viewer may not see */
export async function findWebhook(queries: Queries, viewer: Viewer, id: string): Promise<Webhook | null> {
  let query = queries.selectFrom('webhooks').select(VISIBLE_COLUMNS).where('id', '=', id);
  if (viewer !== 'operators') query = query.where('account_id', '=', viewer.accountId);
  const row = await query.executeTakeFirst();
  return row === undefined ? null : toWebhook(row);
}

const SORT_COLUMNS: Readonly<Record<WebhookSort, SortValue | null>> = {
  createdAt: null,
  name: { value: sql`lower(CASE WHEN description = '' THEN url ELSE description END)` },
  status: { value: sql`(CASE WHEN status = 'enabled' AND failing_since IS NOT NULL THEN 'failing' ELSE status END)` },
};

export function listWebhooks(
  queries: Queries,
  viewer: Viewer,
  { accountId, status, isFailing, search }: WebhookFilter,
  page: PageRequest,
  order: WebhookOrder,
): Promise<Page<Webhook>> {
  let query = queries.selectFrom('webhooks').select(VISIBLE_COLUMNS);
  if (viewer !== 'operators') query = query.where('account_id', '=', viewer.accountId);
  if (accountId !== undefined) query = query.where('account_id', accountId === null ? 'is' : '=', accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  // This must be literally the condition of the index, so that the index is used.
  if (isFailing === true) query = query.where(sql<SqlBool>`status = 'enabled' AND failing_since IS NOT NULL`);
  if (search !== undefined) query = query.where(createSearchCondition(['id', 'url', 'description'], search));
  return readSortedPage(query, { list: 'webhooks', order, values: SORT_COLUMNS }, page, toWebhook);
}

export async function countWebhooks(queries: Queries, accountId: string): Promise<number> {
  const webhooks = queries.selectFrom('webhooks').where('account_id', '=', accountId);
  return (await webhooks.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
}

export async function insertWebhook(tx: Tx, webhook: Webhook, secret: string): Promise<void> {
  const { id, accountId, createdAt } = webhook;
  const initialColumns = { id, account_id: accountId, created_at: createdAt, secret, previous_secret: null };
  await tx
    .insertInto('webhooks')
    .values({ ...initialColumns, previous_secret_until: null, failing_since: null, ...toChangeableColumns(webhook) })
    .execute();
}

/**
 * Writes the changeable fields of a webhook, except its secrets. Only deliveries set `failing_since`. This function can
 * reset it, but never sets it.
 */
export async function writeWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const resetColumns = webhook.failingSince === null ? { failing_since: null } : {};
  const columns = { ...toChangeableColumns(webhook), ...resetColumns };
  await tx.updateTable('webhooks').set(columns).where('id', '=', webhook.id).execute();
}

/**
 * @param previousUntil when the previous secret is no longer used, in ms since the Unix epoch; null or a time in the past:
 *   immediately
 */
export async function writeSecret(
  tx: Tx,
  { id, revision }: Pick<Webhook, 'id' | 'revision'>,
  secret: string,
  previousUntil: number | null,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set((eb) => ({
      secret,
      previous_secret: previousUntil === null ? null : eb.ref('secret'),
      previous_secret_until: previousUntil,
      revision,
    }))
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes only the webhook, so no more deliveries are sent. The deliveries are swept later, because there may be many.
 */
export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

function toWebhook(row: VisibleRow): Webhook {
  const { id, url, description, revision } = row;
  return {
    id,
    accountId: row.account_id,
    url,
    description,
    types: JSON.parse(row.types) as string[],
    status: row.status as WebhookStatus,
    disabledReason: row.disabled_reason as DisabledReason | null,
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
    previousSecretUntil: row.previous_secret_until,
    createdAt: row.created_at,
    revision,
  };
}

function toChangeableColumns({ url, description, types, status, revision, ...rest }: Webhook) {
  const { disabledReason, disabledAt } = rest;
  const renamed = { disabled_reason: disabledReason, disabled_at: disabledAt };
  return { url, description, types: JSON.stringify(types), status, revision, ...renamed };
}
