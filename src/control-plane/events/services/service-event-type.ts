import type { ErrorDetail } from '../../../base/error-codes.ts';
import type { Audience } from '../catalogue.ts';

/** A type of event that a service may publish, as its OpenAPI document describes it. */
export interface ServiceEventType {
  /** Such as `pet.created`. */
  readonly name: string;
  readonly summary: string;
  readonly audience: Extract<Audience, 'everyone' | 'operators'>;
  /** Lists what is wrong with an event as it would be delivered, at paths such as `/data/pet`; undefined if it is valid. */
  readonly validate: (delivered: DeliveredEvent) => ErrorDetail[] | undefined;
  /** File and line in its document. */
  readonly place: string;
}

/** The body of a delivery (Standard Webhooks 1.0.0). */
export interface DeliveredEvent {
  readonly type: string;
  /** An RFC 3339 date-time: when it happened. */
  readonly timestamp: string;
  readonly data: unknown;
}
