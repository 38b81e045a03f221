import type { Order } from '../../storage/sorted-page.ts';

/** An event, as it is stored and published. */
export interface Event {
  readonly sequence: number;
  /** `evt_` and 20 random base62 characters. */
  readonly id: string;
  readonly type: string;
  /** The subject: the id of a key, a plan, an operation and so on. Services choose their own. */
  readonly subject: string | null;
  /** The owner whose keys or account it concerns; only they may see it. Null: no owner. */
  readonly owner: string | null;
  /** `gateway`, or the name of the upstream that published it. */
  readonly source: string;
  /** ms since the Unix epoch. */
  readonly at: number;
  /** With all digits of its numbers, see `src/base/json.ts`: for `JSON.stringify`, not to calculate with. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Made with its id, so that it is not kept twice if it is written again after a failure. */
export interface NewEvent extends Omit<Event, 'sequence'> {
  /** Identifies what may be published only once, however many gateways notice it and however often. */
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
 * `written`: in the order in which events were written, which is that of their times, except for events of services that
 * were published later than they happened.
 */
export type EventOrder = Order<'written'>;

export const GATEWAY = 'gateway';
