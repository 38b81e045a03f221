import { stateOptions } from '../format/state-words.ts';
/** Webhooks and their deliveries, as far as the console and the portal know them alike. Times are RFC 3339. */

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

/** The input for a new or changed webhook. */
export type WebhookDraft = Pick<Webhook, 'url' | 'description' | 'types'>;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const DELIVERY_STATUSES = [
  { value: 'pending' as DeliveryStatus, label: 'Waiting or retrying' },
  ...stateOptions<DeliveryStatus>('delivered', 'failed'),
];

/** As it stands in an address, where anything may stand. */
export function deliveryStatusFrom(text: string | undefined): DeliveryStatus | undefined {
  return DELIVERY_STATUSES.find(({ value }) => value === text)?.value;
}

export interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly durationMs: number;
  /** Null if no answer came: `error` says why. */
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

/** In place of a list of types: all of them, also those that are added later. */
export const ALL_TYPES = '*';

/** An attempt may take 20 seconds, and a gateway somewhat longer to say how it went. */
export const TEST_TIMEOUT_MS = 30_000;

/** Only 2xx says that it has arrived. */
export function hasArrived({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Formats the name of a webhook for people. */
export function nameOf({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  return description.trim() === '' ? shortUrl(url) : description;
}

/** A URL as it fits into a row: without what all of them begin with. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '');
}
