import type { Millis } from '../../base/time.ts';
import type { BanView } from './ban-rules.ts';

/** The start of a ban, or the lift of the one that began at `from`. */
export type BanChange =
  | { readonly kind: 'started'; readonly quotaId: string; readonly ban: BanView }
  | { readonly kind: 'lifted'; readonly quotaId: string; readonly from: Millis };

/**
 * The record of bans that all gateways share: the registry. It is available even while the shared store is not.
 */
export interface BanSource {
  /**
   * Calls the listener after every ban and lift by any gateway or operator, and with null if changes may have been
   * missed. A change may be reported twice, and the changes of a quota may come in any order.
   */
  onChange(listener: (change: BanChange | null) => void): void;
  /**
   * Reads the active bans, and the lifts of bans that would otherwise still be active. Returns only the latest few
   * thousand. Rejects with `StoreUnavailable`.
   */
  read(): Promise<readonly BanChange[]>;
}
