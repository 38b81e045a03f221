/** `pending`: an attempt is due, now or later; `failed`: no attempt is left. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** One try to deliver. Times are milliseconds since the Unix epoch. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly at: number;
  readonly durationMs: number;
  /** The status of the answer; null: none came. */
  readonly status: number | null;
  /** Why none came; null if one did. */
  readonly error: string | null;
  /** The first KB of the answer; null if none came. */
  readonly answer: string | null;
}

/** One event for one webhook. */
export interface Delivery {
  /** `dlv_` and 20 random base62 characters. */
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** That of the event. */
  readonly type: string;
  readonly status: DeliveryStatus;
  /** When the next attempt is due; null if there will be none. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  /** When it was delivered, or given up; null while it is pending. */
  readonly endedAt: number | null;
  /** Oldest first. An attempt of a gateway that died in the middle of it is not among them. */
  readonly attempts: readonly Attempt[];
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
}
