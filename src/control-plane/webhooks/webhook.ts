export type WebhookStatus = 'enabled' | 'disabled';

/** `failing`: every attempt failed for days; `gone`: its service answered 410; `manual`: somebody disabled it. */
export type DisabledReason = 'failing' | 'gone' | 'manual';

/** Every type that may be seen, also those that are added later. */
export const ALL_TYPES = '*';

/** Somebody who asked to be told of events. Times are milliseconds since the Unix epoch. */
export interface Webhook {
  /** `whk_` and 20 random base62 characters. */
  readonly id: string;
  /** The account whose events it gets, and those for everyone; null: the operators', who get all of them. */
  readonly accountId: string | null;
  /** As `URL` writes it. */
  readonly url: string;
  /** For people; may be empty. */
  readonly description: string;
  /** Names of event types, or only `*`. */
  readonly types: readonly string[];
  readonly status: WebhookStatus;
  /** Both null while it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  /** Since when every attempt has failed; null after one that did not. */
  readonly failingSince: number | null;
  /** Until when the secret before the present one signs, too; null: there is none. May be in the past. */
  readonly previousSecretUntil: number | null;
  readonly createdAt: number;
  /** Revision, as in `StoredPlan`. Delivering does not change it. */
  readonly revision: number;
}

export type NewWebhook = Pick<Webhook, 'accountId' | 'url' | 'description' | 'types'>;

/** Omitted fields stay as they are. */
export type WebhookPatch = Partial<Pick<Webhook, 'url' | 'description' | 'types' | 'status'>>;

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** `whsec_` and the base64 of 32 random bytes: shown this once. */
  readonly secret: string;
}

export interface WebhookOptions {
  /** Only if the webhook is at this revision, else `conflict`. */
  readonly revision?: number | undefined;
}

/** Who looks: an account sees only its own webhooks, as if there were no others. */
export type Viewer = 'operators' | { readonly accountId: string };

export interface WebhookFilter {
  /** Only those of this account; null: only those of the operators. */
  readonly accountId?: string | null | undefined;
  readonly status?: WebhookStatus | undefined;
}
