import type { EventTable, WebhookTable } from '../../storage/tables.ts';
import { toDateTime } from '../../base/time.ts';
import { redactForConsumers } from '../registry/ban-record.ts';

/** The message to send in an attempt. */
export interface Message {
  readonly url: string;
  /** One secret, or two while a new secret replaces the old one. */
  readonly secrets: readonly string[];
  /** Id of the event: the same for every attempt. */
  readonly id: string;
  readonly body: string;
}

/** Headers that are the same for every attempt. @param id the id of the event */
export function createFixedHeaders(id: string) {
  return { 'content-type': 'application/json', 'user-agent': 'Tollgate-Webhooks', 'webhook-id': id };
}

/** The outcome of an attempt. Times are milliseconds. */
export interface Outcome {
  /** Since the Unix epoch. */
  readonly at: number;
  readonly durationMs: number;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** Why there was no response, in words for the owner of the webhook. */
  readonly error: string | null;
  /** The first KB of the response. */
  readonly answer: string | null;
  /** How long the response asks to wait; null if the response does not say. */
  readonly retryAfterMs: number | null;
}

/** Time limit of an attempt, from the lookup of the name to the end of the response. */
export const ATTEMPT_MS = 20_000;

/** Sends signed events. Never rejects: every result is an outcome. */
export interface Sender {
  send(message: Message): Promise<Outcome>;
}

/**
 * Whether a message has arrived. Only 2xx means that it has (Standard Webhooks). A redirect is a failure like any
 * other.
 */
export function hasArrived({ status }: Pick<Outcome, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

type SigningRow = Pick<WebhookTable, 'account_id' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'>;
type EventRow = Pick<EventTable, 'type' | 'at' | 'data'> & { readonly event_id: string };

/** @param now ms since the Unix epoch, to decide whether the previous secret is also used for signing */
export function createMessage(webhook: SigningRow, { event_id: id, ...event }: EventRow, now: number): Message {
  const { url, secret, previous_secret: previous, previous_secret_until: until } = webhook;
  const secrets = previous !== null && until !== null && until > now ? [secret, previous] : [secret];
  return { url, secrets, id, body: createBody(event, webhook.account_id) };
}

/**
 * Creates the body of a message. The data is already JSON and is not parsed here, because that would change large
 * numbers.
 *
 * @param accountId the account that receives the event; null: the operators
 */
export function createBody({ type, at, data }: Omit<EventRow, 'event_id'>, accountId: string | null): string {
  const visibleData = accountId === null ? data : redactForConsumers({ type, data });
  return `{"type":${JSON.stringify(type)},"timestamp":"${toDateTime(at)}","data":${visibleData}}`;
}
