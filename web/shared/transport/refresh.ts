/** How often what is on a screen is read again; of charts, `refreshMs` in `web/shared/traffic/period.ts`. */

import { SECOND_MS } from '../format/durations.ts';

/** Things that people watch: a key, events and their deliveries. */
export const LIVE_MS = 5 * SECOND_MS;
/** The state of the gateways. */
export const STATUS_MS = 10 * SECOND_MS;
/** Keys and bans. */
export const LIST_MS = 15 * SECOND_MS;
/** Things that seldom change. */
export const CALM_MS = 30 * SECOND_MS;

interface PagedQuery {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}

/** For a list, until a second page is read: all of them would be read again, one after the other. */
export function whileOnePage(everyMs: number) {
  return ({ state: { data } }: PagedQuery): number | false => ((data?.pages.length ?? 1) === 1 ? everyMs : false);
}
