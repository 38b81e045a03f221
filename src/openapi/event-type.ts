import type { ErrorDetail } from '../base/error-details.ts';

/**
 * Who may see an event: `owner`: the owner of its keys; `plan`: consumers on the plan it is about; `everyone`: every
 * consumer; `operators`: only operators, who see all events.
 */
export type Audience = 'owner' | 'plan' | 'everyone' | 'operators';

/** A type of event that a service may publish, as its OpenAPI document describes it. */
export interface ServiceEventType {
  /** Such as `pet.created`. */
  readonly name: string;
  readonly summary: string;
  readonly audience: Extract<Audience, 'everyone' | 'operators'>;
  /** Path of the schema of what is delivered, in its document. */
  readonly schemaAt: readonly string[];
  /** Lists the errors of an event as it would be delivered, at paths such as `/data/pet`; undefined if it is valid. */
  readonly validate: (delivered: DeliveredEvent) => ErrorDetail[] | undefined;
  /** File and line in its document. */
  readonly place: string;
}

/** The body of a delivery (Standard Webhooks 1.0.0). */
interface DeliveredEvent {
  readonly type: string;
  /** An RFC 3339 date-time: when it happened. */
  readonly timestamp: string;
  readonly data: unknown;
}

/** A type of event, as webhooks ask for it. */
export interface EventTypeInfo {
  readonly name: string;
  /** `gateway`, or the name of the upstream that publishes it. */
  readonly source: string;
  /** A summary; empty if its document has none. */
  readonly summary: string;
  readonly audience: Audience;
}

/** An event as a service publishes it. */
export interface ServiceEvent {
  readonly type: string;
  /**
   * An object, whose integers beyond 2^53 are BigInt; or an object as JSON text, whose numbers keep all their digits.
   * At most 64 KB (65536 bytes) as JSON, 32 levels deep.
   */
  readonly data: object | string;
  /** The service's own name for it, 1 to 128 of printable ASCII without spaces: repeats of it are ignored. */
  readonly id?: string | undefined;
  /** The subject, 1 to 200 characters. */
  readonly subject?: string | undefined;
  /** When it happened, in ms since the Unix epoch; now, if it is left out or later than that: its clock may be ahead. */
  readonly at?: number | undefined;
}

/** A service that may publish: an upstream, with the types of its document. */
export interface EventSource {
  readonly name: string;
  readonly eventTypes: readonly ServiceEventType[];
}

/** The result of publishing an event. */
export interface Published {
  /** `evt_…`, which its deliveries also have. For a repeat, the id of the earlier event. */
  readonly id: string;
  /** False for a repeat of an `id` that the service gave before: nothing was written. */
  readonly isNew: boolean;
}
