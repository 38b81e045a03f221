import { createRandomId } from '../../base/secrets.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { appendAuditEntry, diffFields } from '../registry/audit-log.ts';
import { lockAccount } from '../accounts/account-rows.ts';
import { checkRevision, type WriteContext } from '../registry/write-context.ts';
import { announceDeliveries } from './delivery.ts';
import { generateSigningSecret } from './signature.ts';
import type {
  DisabledReason,
  NewWebhook,
  Viewer,
  Webhook,
  WebhookOptions,
  WebhookPatch,
  WebhookWithSecret,
} from './webhook.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  findWebhook,
  writeSecret,
  writeWebhook,
} from './webhook-rows.ts';

/** Maximum number of webhooks per account, because each event for everyone is sent to all of them. */
export const MAX_WEBHOOKS = 10;

export async function createWebhook(context: WriteContext, newWebhook: NewWebhook): Promise<WebhookWithSecret> {
  const { tx, change } = context;
  const { accountId, url, description, types } = newWebhook;
  if (accountId !== null) await checkWebhookCount(context, accountId);
  const id = createRandomId('whk');
  const enabledFields = { status: 'enabled', disabledReason: null, disabledAt: null, failingSince: null } as const;
  const initialFields = { ...enabledFields, previousSecretUntil: null, createdAt: change.at };
  const webhook: Webhook = { id, accountId, url, description, types, ...initialFields, revision: 0 };
  const stored = {
    ...webhook,
    revision: await appendAuditEntry(context, id, 'webhook.create', { after: pickRecordedFields(webhook) }),
  };
  const secret = generateSigningSecret();
  await insertWebhook(tx, stored, secret);
  return { webhook: stored, secret };
}

export async function updateWebhook(
  context: WriteContext,
  viewer: Viewer,
  id: string,
  patch: WebhookPatch,
  options: WebhookOptions,
): Promise<Webhook> {
  const before = await lockAndReadWebhook(context, viewer, id, options);
  const { url, description, types } = { ...before, ...patch };
  const status = patch.status ?? before.status;
  const after = changeStatus({ ...before, url, description, types }, status, 'manual', context.change.at);
  const changedFields = diffFields(pickRecordedFields(before), pickRecordedFields(after));
  if (changedFields === null) return before;
  const stored = { ...after, revision: await appendAuditEntry(context, id, 'webhook.update', changedFields) };
  await writeWebhook(context.tx, stored);
  if (after.status === 'enabled') announceDeliveries(context.announce);
  return stored;
}

export async function deleteWebhook(
  context: WriteContext,
  viewer: Viewer,
  id: string,
  options: WebhookOptions,
): Promise<void> {
  const webhook = await lockAndReadWebhook(context, viewer, id, options);
  await deleteWebhookRow(context.tx, id);
  await appendAuditEntry(context, id, 'webhook.delete', { before: pickRecordedFields(webhook) });
}

export async function rotateSecret(
  context: WriteContext,
  viewer: Viewer,
  id: string,
  graceMs: number,
  options: WebhookOptions,
): Promise<WebhookWithSecret> {
  const webhook = await lockAndReadWebhook(context, viewer, id, options);
  const previousSecretUntil = graceMs === 0 ? null : context.change.at + graceMs;
  const changedFields = { after: { previousSecretUntil } };
  const stored = {
    ...webhook,
    previousSecretUntil,
    revision: await appendAuditEntry(context, id, 'webhook.rotate', changedFields),
  };
  const secret = generateSigningSecret();
  await writeSecret(context.tx, stored, secret, previousSecretUntil);
  return { webhook: stored, secret };
}

/**
 * Locks the webhook until this transaction ends.
 *
 * @throws RegistryError `webhook_not_found`, `conflict`
 */
async function lockAndReadWebhook(
  context: Pick<WriteContext, 'tx' | 'dialect'>,
  viewer: Viewer,
  id: string,
  { revision }: WebhookOptions,
): Promise<Webhook> {
  await lockWebhook(context, id);
  const webhook = await findWebhook(context.tx, viewer, id);
  if (webhook === null) throw createWebhookNotFoundError(id);
  checkRevision(`webhook ${id}`, webhook.revision, revision);
  return webhook;
}

/**
 * Locks a webhook, so that its fields can be read and then written. Fields that only deliveries change need no lock.
 */
export function lockWebhook({ tx, dialect }: Pick<WriteContext, 'tx' | 'dialect'>, id: string): Promise<void> {
  return dialect.lock(tx, `webhook:${id}`);
}

export function createWebhookNotFoundError(id: string): RegistryError {
  return new RegistryError('webhook_not_found', `there is no webhook ${id}`);
}

/** Returns the webhook with a new status. Enabling a webhook also resets its failures. */
export function changeStatus(
  webhook: Webhook,
  status: Webhook['status'],
  disabledReason: DisabledReason,
  disabledAt: number,
): Webhook {
  if (webhook.status === status) return webhook;
  if (status === 'disabled') return { ...webhook, status, disabledReason, disabledAt };
  return { ...webhook, status, disabledReason: null, disabledAt: null, failingSince: null };
}

/** The fields of a webhook that the audit log shows. */
export function pickRecordedFields({ failingSince, revision, ...fields }: Webhook): Readonly<Record<string, unknown>> {
  return fields;
}

async function checkWebhookCount(context: WriteContext, accountId: string): Promise<void> {
  // Locked, so that concurrent creations do not exceed the limit.
  await lockAccount(context, accountId);
  if ((await countWebhooks(context.tx, accountId)) < MAX_WEBHOOKS) return;
  throw new RegistryError(
    'too_many_webhooks',
    `account ${accountId} has reached the limit of ${MAX_WEBHOOKS} webhooks: delete one first`,
  );
}
