import type { Order } from '../../storage/sorted-page.ts';

export type WebhookStatus = 'enabled' | 'disabled';

/** `failing`: every attempt failed for days; `gone`: its endpoint responded with 410; `manual`: disabled by a user. */
export type DisabledReason = 'failing' | 'gone' | 'manual';

/** Every available type, including types added later. */
export const ALL_TYPES = '*';

/** A webhook. Times are milliseconds since the Unix epoch. */
export interface Webhook {
  /** `whk_` and 20 random base62 characters. */
  readonly id: string;
  /** The account that receives its own events and those for everyone; null: the operators, who receive all events. */
  readonly accountId: string | null;
  /** The URL as `URL` writes it. */
  readonly url: string;
  /** For people; may be empty. */
  readonly description: string;
  /** Names of event types, or only `*`. */
  readonly types: readonly string[];
  readonly status: WebhookStatus;
  /** Both null while the webhook is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  /** Start of the current series of failed attempts; null if the last attempt did not fail. */
  readonly failingSince: number | null;
  /**
   * Until this time, messages are also signed with the previous secret; may be in the past. Null: no previous secret.
   */
  readonly previousSecretUntil: number | null;
  readonly createdAt: number;
  /** Revision, as in `StoredPlan`. Delivering does not change it. */
  readonly revision: number;
}

export type NewWebhook = Pick<Webhook, 'accountId' | 'url' | 'description' | 'types'>;

/** Omitted fields do not change. */
export type WebhookPatch = Partial<Pick<Webhook, 'url' | 'description' | 'types' | 'status'>>;

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** `whsec_` and the base64 of 32 random bytes. It is shown only once. */
  readonly secret: string;
}

export interface WebhookOptions {
  /** Makes the change only if the webhook is at this revision; otherwise, the change is refused with `conflict`. */
  readonly revision?: number | undefined;
}

/** Operators see all webhooks, an account only its own. */
export type Viewer = 'operators' | { readonly accountId: string };

export interface WebhookFilter {
  /** Only webhooks of this account; null: only webhooks of the operators. */
  readonly accountId?: string | null | undefined;
  readonly status?: WebhookStatus | undefined;
  /** Only enabled webhooks whose last attempt failed. */
  readonly isFailing?: boolean | undefined;
  /** A part of the id, URL or description. */
  readonly search?: string | undefined;
}

/**
 * `name`: the description, or the URL if there is no description. `status`: first disabled, then enabled, then failing
 * webhooks.
 */
export type WebhookSort = 'createdAt' | 'name' | 'status';

export type WebhookOrder = Order<WebhookSort>;
