import type { EventTable, WebhookTable } from '../../../storage/tables.ts';
import { toDateTime } from '../../../base/time.ts';
import type { Message } from './sender.ts';

type SigningRow = Pick<WebhookTable, 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'>;
type EventRow = Pick<EventTable, 'type' | 'at' | 'data'> & { readonly event_id: string };

/** @param now ms since the Unix epoch: whether the secret before still signs */
export function messageOf(webhook: SigningRow, { event_id: id, ...event }: EventRow, now: number): Message {
  const { url, secret, previous_secret: previous, previous_secret_until: until } = webhook;
  const secrets = previous !== null && until !== null && until > now ? [secret, previous] : [secret];
  return { url, secrets, id, body: bodyOf(event) };
}

/** The data are JSON already: parsed and printed again, large numbers would not be the same. */
function bodyOf({ type, at, data }: Omit<EventRow, 'event_id'>): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${toDateTime(at)}","data":${data}}`;
}
