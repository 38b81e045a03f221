import { sql } from 'kysely';
import { DAY_MS } from '../../base/time.ts';
import { gatewayEvent } from '../events/gateway-events.ts';
import { publish } from '../events/event-outbox.ts';
import { changedFields, audited } from '../registry/audit-log.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { hasArrived, type Outcome } from './sender.ts';
import { lockWebhook, recorded, withStatus } from './webhook-changes.ts';
import { webhookById, writeWebhook } from './webhook-rows.ts';

/** A webhook is disabled after every attempt has failed for this long. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;

/**
 * A failing webhook is disabled only after this many failures of one delivery. If events are rare, days can pass
 * between a failure of one event and the first failure of the next event. The endpoint may have worked in the meantime.
 */
const FAILED_ATTEMPTS = 3;

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
export async function noteHealth(
  context: Context,
  settings: WebhookHealthOptions,
  attemptsByWebhook: ReadonlyMap<string, readonly Attempt[]>,
): Promise<void> {
  const working: string[] = [];
  // Sorted, so that gateways never deadlock.
  for (const id of [...attemptsByWebhook.keys()].sort()) {
    const attempts = attemptsByWebhook.get(id)!;
    const isGone = attempts.some(({ outcome }) => outcome.status === GONE_STATUS);
    if (isGone) await disable(context, id, 'gone', settings.clock());
    else if (attempts.some(({ outcome }) => hasArrived(outcome))) working.push(id);
    else await noteFailing(context, settings, id, attempts);
  }
  if (working.length === 0) return;
  const failing = context.tx.updateTable('webhooks').where('id', 'in', working).where('status', '=', 'enabled');
  await failing.set({ failing_since: null }).where('failing_since', 'is not', null).execute();
}

async function noteFailing(
  context: Context,
  { disableAfterMs, clock }: WebhookHealthOptions,
  id: string,
  attempts: readonly Attempt[],
): Promise<void> {
  const { tx, dialect } = context;
  const webhook = tx.updateTable('webhooks').where('id', '=', id).where('status', '=', 'enabled');
  await webhook.set({ failing_since: dialect.now }).where('failing_since', 'is', null).execute();
  if (attempts.every(({ number }) => number < FAILED_ATTEMPTS)) return;
  const since = sql<number>`${dialect.now} - ${sql.lit(disableAfterMs)}`;
  const failing = tx.selectFrom('webhooks').select('id').where('id', '=', id).where('status', '=', 'enabled');
  const tooLong = await failing.where('failing_since', '<=', since).executeTakeFirst();
  if (tooLong !== undefined) await disable(context, id, 'failing', clock());
}

/**
 * Disables a webhook, and publishes an event for its owner. Does nothing if the webhook is already disabled or has been
 * deleted.
 *
 * @param at ms since the Unix epoch
 */
async function disable(context: Context, id: string, reason: keyof typeof REASONS, at: number): Promise<void> {
  const { tx } = context;
  await lockWebhook(context, id);
  const before = await webhookById(tx, 'operators', id);
  if (before === null || before.status === 'disabled') return;
  const after = withStatus(before, 'disabled', reason, at);
  const change = { actor: 'system', reason: REASONS[reason], at };
  const what = changedFields(recorded(before), recorded(after)) ?? {};
  const revision = await audited({ tx, change }, id, 'webhook.disable', what);
  await writeWebhook(tx, { ...after, revision });
  const owner = await findOwner(context, before.accountId);
  await publish(context, [
    gatewayEvent('webhook.disabled', { id, url: before.url, reason }, { subject: id, owner, at }),
  ]);
}

async function findOwner({ tx }: Pick<WriteContext, 'tx'>, accountId: string | null): Promise<string | null> {
  if (accountId === null) return null;
  const account = tx.selectFrom('accounts').select('owner').where('id', '=', accountId);
  return (await account.executeTakeFirst())?.owner ?? null;
}
