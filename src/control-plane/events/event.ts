import type { Order } from '../../storage/sorted-page.ts';

/** An event, as it is stored and published. */
export interface Event {
  readonly sequence: number;
  /** `evt_` and 20 random base62 characters. */
  readonly id: string;
  readonly type: string;
  /** The subject: the id of a key, a plan, an operation and so on. Services choose their own subjects. */
  readonly subject: string | null;
  /** The owner whose keys or account the event concerns. No other owner may see it. Null: no owner. */
  readonly owner: string | null;
  /** `gateway`, or the name of the upstream that published it. */
  readonly source: string;
  /** ms since the Unix epoch. */
  readonly at: number;
  /**
   * Numbers keep all their digits (see `src/base/json.ts`), so this is for `JSON.stringify` and not for calculations.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An event to be stored. It already has an id, so that it is not stored twice if it is written again after a failure.
 */
export interface NewEvent extends Omit<Event, 'sequence'> {
  /** Identifies an event that may be published only once, however many gateways notice it and however often. */
  readonly uniqueKey?: string | undefined;
}

/** Omitted fields match everything. */
export interface EventFilter {
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
  /** ms since the Unix epoch, inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
}

/**
 * `written`: the order in which events were written. It is also the order of their times, except for events that a
 * service published later than they happened.
 */
export type EventOrder = Order<'written'>;

export const GATEWAY = 'gateway';
