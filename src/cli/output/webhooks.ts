import type { DeliveryAnswer, NewWebhookAnswer, WebhookAnswer } from '../admin/answers.ts';
import type { Io } from '../io.ts';
import { fields } from './table.ts';
import { time } from './format.ts';

/** Shows the secret, which happens only this once. */
export function tellWebhookSecret(io: Io, { secret }: NewWebhookAnswer): void {
  io.out(`Its secret is shown this once:\n\n  ${secret}\n\n`);
}

/** `enabled`, `failing`, or why it is disabled. */
export function webhookState({ status, disabledReason, failingSince }: WebhookAnswer): string {
  if (status === 'enabled') return failingSince === null ? 'enabled' : 'failing';
  return disabledReason === null || disabledReason === 'manual' ? 'disabled' : `disabled (${disabledReason})`;
}

export function webhookFields(webhook: WebhookAnswer): string {
  const { id, accountId, url, description, types, disabledAt, failingSince, previousSecretUntil } = webhook;
  const utc = (at: string) => `${time(at)} UTC`;
  const optional = (name: string, at: string | null) => (at === null ? [] : [[name, utc(at)] as const]);
  return fields([
    ['id', id],
    ['of', accountId ?? 'the operators'],
    ['url', url],
    ['description', description === '' ? 'none' : description],
    ['types', types.join(', ')],
    ['status', webhookState(webhook)],
    ...optional('disabled', disabledAt),
    ...optional('failing since', failingSince),
    ...optional('old secret until', previousSecretUntil),
    ['created', utc(webhook.createdAt)],
  ]);
}

/** `answered 500 in 12 ms`, or why no answer came. */
export function attemptInWords({ status, error, durationMs }: DeliveryAnswer['attempts'][number]): string {
  return status === null ? `${error ?? 'no answer'}, after ${durationMs} ms` : `answered ${status} in ${durationMs} ms`;
}

export const DELIVERY_STATE_COLUMNS = [
  { title: 'STATUS', whole: true },
  { title: 'ATTEMPTS', whole: true, right: true },
  { title: 'LAST ATTEMPT', whole: true },
];

/** What became of a delivery, for `DELIVERY_STATE_COLUMNS`. */
export function deliveryStateCells({ status, attempts }: DeliveryAnswer): string[] {
  const last = attempts.at(-1);
  return [status, String(attempts.length), last === undefined ? '' : attemptInWords(last)];
}
