import { sql } from 'kysely';
import { DAY_MS } from '../../base/time.ts';
import { createGatewayEvent } from '../events/gateway-events.ts';
import { publish } from '../events/event-outbox.ts';
import { diffFields, appendAuditEntry } from '../registry/audit-log.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { hasArrived, type Outcome } from './sender.ts';
import { lockWebhook, pickRecordedFields, changeStatus } from './webhook-changes.ts';
import { findWebhook, writeWebhook } from './webhook-rows.ts';

/** A webhook is disabled after every attempt has failed for this long. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;

/**
 * A failing webhook is disabled only after this many failures of one delivery. If events are rare, days can pass
 * between a failure of one event and the first failure of the next event. The endpoint may have worked in the meantime.
 */
const MIN_FAILED_ATTEMPTS = 3;

const REASONS = {
  failing: 'every delivery attempt has failed for days',
  gone: 'its endpoint responded with 410',
} as const;

const GONE_STATUS = 410;

export interface WebhookHealthOptions {
  /** A webhook is disabled when every attempt has failed for this long. */
  readonly disableAfterMs: number;
  /** ms since the Unix epoch. */
  readonly clock: () => number;
}

export interface Attempt {
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly outcome: Outcome;
}

type Context = Omit<WriteContext, 'change'>;

/** Notes which webhooks fail, and since when. Disables webhooks that responded with 410 or have failed for too long. */
export async function recordHealth(
  context: Context,
  options: WebhookHealthOptions,
  attemptsByWebhook: ReadonlyMap<string, readonly Attempt[]>,
): Promise<void> {
  const workingIds: string[] = [];
  // Sorted, so that gateways never deadlock.
  for (const id of [...attemptsByWebhook.keys()].sort()) {
    const attempts = attemptsByWebhook.get(id)!;
    const isGone = attempts.some(({ outcome }) => outcome.status === GONE_STATUS);
    if (isGone) await disableWebhook(context, id, 'gone', options.clock());
    else if (attempts.some(({ outcome }) => hasArrived(outcome))) workingIds.push(id);
    else await recordFailing(context, options, id, attempts);
  }
  if (workingIds.length === 0) return;
  const failing = context.tx.updateTable('webhooks').where('id', 'in', workingIds).where('status', '=', 'enabled');
  await failing.set({ failing_since: null }).where('failing_since', 'is not', null).execute();
}

async function recordFailing(
  context: Context,
  { disableAfterMs, clock }: WebhookHealthOptions,
  id: string,
  attempts: readonly Attempt[],
): Promise<void> {
  const { tx, dialect } = context;
  const webhook = tx.updateTable('webhooks').where('id', '=', id).where('status', '=', 'enabled');
  await webhook.set({ failing_since: dialect.now }).where('failing_since', 'is', null).execute();
  if (attempts.every(({ number }) => number < MIN_FAILED_ATTEMPTS)) return;
  const cutoff = sql<number>`${dialect.now} - ${sql.lit(disableAfterMs)}`;
  const failing = tx.selectFrom('webhooks').select('id').where('id', '=', id).where('status', '=', 'enabled');
  const longFailing = await failing.where('failing_since', '<=', cutoff).executeTakeFirst();
  if (longFailing !== undefined) await disableWebhook(context, id, 'failing', clock());
}

/**
 * Disables a webhook, and publishes an event for its owner. Does nothing if the webhook is already disabled or has been
 * deleted.
 *
 * @param at ms since the Unix epoch
 */
async function disableWebhook(context: Context, id: string, reason: keyof typeof REASONS, at: number): Promise<void> {
  const { tx } = context;
  await lockWebhook(context, id);
  const before = await findWebhook(tx, 'operators', id);
  if (before === null || before.status === 'disabled') return;
  const after = changeStatus(before, 'disabled', reason, at);
  const change = { actor: 'system', reason: REASONS[reason], at };
  const changedFields = diffFields(pickRecordedFields(before), pickRecordedFields(after)) ?? {};
  const revision = await appendAuditEntry({ tx, change }, id, 'webhook.disable', changedFields);
  await writeWebhook(tx, { ...after, revision });
  const owner = await findOwner(context, before.accountId);
  await publish(context, [
    createGatewayEvent('webhook.disabled', { id, url: before.url, reason }, { subject: id, owner, at }),
  ]);
}

async function findOwner({ tx }: Pick<WriteContext, 'tx'>, accountId: string | null): Promise<string | null> {
  if (accountId === null) return null;
  const account = tx.selectFrom('accounts').select('owner').where('id', '=', accountId);
  return (await account.executeTakeFirst())?.owner ?? null;
}
