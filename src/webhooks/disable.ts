import { DAY_MS } from '../base/durations.ts';
import { gatewayEvent } from '../events/gateway-event.ts';
import { publish } from '../events/publish.ts';
import { changedFields } from '../registry/audit/audit-record.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { audited, lockWebhook, recorded, withStatus } from './webhook-changes.ts';
import { webhookById, writeWebhook } from './webhook-rows.ts';

/** A webhook whose every attempt fails is disabled after this long. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;

const REASONS = {
  failing: 'every attempt to deliver has failed for days',
  gone: 'its service answered 410',
} as const;

/**
 * Disables a webhook because of what its service answers, and tells its owner. Does nothing if it is disabled already, or
 * deleted.
 *
 * @param at ms since the Unix epoch
 */
export async function disableWebhook(
  context: Omit<WriteContext, 'change'>,
  id: string,
  reason: keyof typeof REASONS,
  at: number,
): Promise<void> {
  const { tx } = context;
  await lockWebhook(context, id);
  const before = await webhookById(tx, 'operators', id);
  if (before === null || before.status === 'disabled') return;
  const after = withStatus(before, 'disabled', reason, at);
  const change = { actor: 'system', reason: REASONS[reason], at };
  const what = changedFields(recorded(before), recorded(after)) ?? {};
  const revision = await audited({ tx, change }, id, 'webhook.disable', what);
  await writeWebhook(tx, { ...after, revision });
  const owner = await ownerOf(context, before.accountId);
  await publish(context, [
    gatewayEvent('webhook.disabled', { id, url: before.url, reason }, { subject: id, owner, at }),
  ]);
}

async function ownerOf({ tx }: Pick<WriteContext, 'tx'>, accountId: string | null): Promise<string | null> {
  if (accountId === null) return null;
  const account = tx.selectFrom('accounts').select('owner').where('id', '=', accountId);
  return (await account.executeTakeFirst())?.owner ?? null;
}
