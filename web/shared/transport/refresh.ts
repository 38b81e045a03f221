/** How often the data on a screen is reloaded. For charts, see `refreshMs` in `web/shared/traffic/period.ts`. */

import { SECOND_MS } from '../format/durations.ts';

/** For data that people watch: a key, events and their deliveries. */
export const LIVE_MS = 5 * SECOND_MS;
/** For the state of the gateways. */
export const STATUS_MS = 10 * SECOND_MS;
/** For keys and bans. */
export const LIST_MS = 15 * SECOND_MS;
/** For data that seldom changes. */
export const CALM_MS = 30 * SECOND_MS;

interface PagedQuery {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}

/** For a list, until its second page is loaded. All pages would be reloaded one after the other. */
export function whileOnePage(everyMs: number) {
  return ({ state: { data } }: PagedQuery): number | false => ((data?.pages.length ?? 1) === 1 ? everyMs : false);
}
