/** The intervals at which screens reload their data. For charts, see `refreshMs` in `web/shared/traffic/period.ts`. */

import { SECOND_MS } from '../format/durations.ts';

/** For data that people watch: the usage of a key, and events with their deliveries. */
export const LIVE_REFRESH_MS = 5 * SECOND_MS;
/** For the state of the gateways. */
export const STATUS_REFRESH_MS = 10 * SECOND_MS;
/** For keys and bans. */
export const LIST_REFRESH_MS = 15 * SECOND_MS;
/** For data that seldom changes. */
export const CALM_REFRESH_MS = 30 * SECOND_MS;

interface PagedQuery {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}

/**
 * The reload interval of a list, until its second page is loaded. After that, the list is not reloaded, because the
 * pages would be requested one after another.
 */
export function refreshWhileOnePage(everyMs: number) {
  return ({ state: { data } }: PagedQuery): number | false => ((data?.pages.length ?? 1) === 1 ? everyMs : false);
}
