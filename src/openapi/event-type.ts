import type { ErrorDetail } from '../base/error-details.ts';

/**
 * The audience of an event. `owner`: the owner of the event's keys; `plan`: consumers on the event's plan; `everyone`:
 * every consumer; `operators`: no consumers. Operators see all events.
 */
export type Audience = 'owner' | 'plan' | 'everyone' | 'operators';

/** A type of event that a service may publish, as its OpenAPI document describes it. */
export interface ServiceEventType {
  /** The name of the type, such as `pet.created`. */
  readonly name: string;
  readonly summary: string;
  readonly audience: Extract<Audience, 'everyone' | 'operators'>;
  /** Path to the schema of the delivered body in the service's document. */
  readonly schemaAt: readonly string[];
  /** Lists the errors of an event as it would be delivered, at paths such as `/data/pet`; undefined if it is valid. */
  readonly validate: (delivered: DeliveredEvent) => ErrorDetail[] | undefined;
  /** File and line in the service's document. */
  readonly place: string;
}

/** The body of a delivery (Standard Webhooks 1.0.0). */
interface DeliveredEvent {
  readonly type: string;
  /** An RFC 3339 date-time: when it happened. */
  readonly timestamp: string;
  readonly data: unknown;
}

/** A type of event that webhooks can ask for. */
export interface EventTypeInfo {
  readonly name: string;
  /** `gateway`, or the name of the upstream that publishes it. */
  readonly source: string;
  /** Empty if the document has no summary. */
  readonly summary: string;
  readonly audience: Audience;
}

/** An event as a service publishes it. */
export interface ServiceEvent {
  readonly type: string;
  /**
   * Either an object, whose integers beyond 2^53 are BigInt, or an object as JSON text, whose numbers keep all their
   * digits. At most 64 KB (65536 bytes) as JSON, 32 levels deep.
   */
  readonly data: object | string;
  /**
   * The service's own id for the event: 1 to 128 printable ASCII characters without spaces. Repeats of an id are
   * ignored.
   */
  readonly id?: string | undefined;
  /** The subject, 1 to 200 characters. */
  readonly subject?: string | undefined;
  /**
   * When the event happened, in ms since the Unix epoch. If the time is omitted or in the future, the current time is
   * used: the service's clock may be ahead.
   */
  readonly at?: number | undefined;
}

/** A service that may publish events: an upstream, with the event types of its document. */
export interface EventSource {
  readonly name: string;
  readonly eventTypes: readonly ServiceEventType[];
}

/** The result of publishing an event. */
export interface Published {
  /** The event's id (`evt_…`), which its deliveries also have. For a repeat, this is the id of the earlier event. */
  readonly id: string;
  /** False if the service has already published an event with this `id`; then nothing was written. */
  readonly isNew: boolean;
}
