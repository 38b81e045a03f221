import { createStateOptions } from '../format/state-words.ts';
/** The parts of webhooks and deliveries that the console and the portal share. Times are RFC 3339. */

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: 'manual' | 'gone' | 'failing' | null;
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  readonly previousSecretUntil: string | null;
  readonly createdAt: string;
}

export interface WebhookWithSecret extends Webhook {
  readonly secret: string;
}

/** The request that every attempt of a delivery sends. */
interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ReadRequest = (deliveryId: string, signal: AbortSignal) => Promise<SentRequest>;

/** The fields of a new or changed webhook. */
export type WebhookDraft = Pick<Webhook, 'url' | 'description' | 'types'>;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const DELIVERY_STATUSES = [
  { value: 'pending' as DeliveryStatus, label: 'Waiting or retrying' },
  ...createStateOptions<DeliveryStatus>('delivered', 'failed'),
];

/** Reads the status filter from the URL, which may contain any text. Undefined if it is none of the statuses. */
export function parseDeliveryStatus(text: string | undefined): DeliveryStatus | undefined {
  return DELIVERY_STATUSES.find(({ value }) => value === text)?.value;
}

export interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly durationMs: number;
  /** The status of the response. Null if there was no response; `error` then says why. */
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly dueAt: string | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly attempts: readonly Attempt[];
}

export interface EventType {
  readonly name: string;
  readonly summary: string;
}

/** Selects all event types, including those that are added later. */
export const ALL_TYPES = '*';

/** An attempt may take 20 seconds, and the gateway needs some time to report it. */
export const TEST_TIMEOUT_MS = 30_000;

/** True if the endpoint received the event, which only a 2xx status confirms. */
export function hasArrived({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The name of a webhook in lists and headings: its description, or its URL if there is none. */
export function formatWebhookName({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  return description.trim() === '' ? shortenUrl(url) : description;
}

/** Shortens a URL by its scheme and the slash at its end, so that it fits into a row. */
export function shortenUrl(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '');
}
