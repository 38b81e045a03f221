import type { Millis } from '../../base/time.ts';
import type { BanView } from './ban-rules.ts';

/** The start of a ban, or the lift of the one that began at `from`. */
export type BanChange =
  | { readonly kind: 'started'; readonly quotaId: string; readonly ban: BanView }
  | { readonly kind: 'lifted'; readonly quotaId: string; readonly from: Millis };

/**
 * The record of bans that all gateways share: the registry. The registry also answers while the shared store does not.
 */
export interface BanSource {
  /**
   * Calls the listener after every ban and lift, by any gateway or operator, and with null if changes may have been
   * missed. A change may be reported twice, and the changes of one quota may come in any order.
   */
  onChange(listener: (change: BanChange | null) => void): void;
  /**
   * Resolves to the bans that would still be active without their lifts, and to those lifts. There are some thousands
   * at most: the latest ones. Rejects with `StoreUnavailable`.
   */
  read(): Promise<readonly BanChange[]>;
}
