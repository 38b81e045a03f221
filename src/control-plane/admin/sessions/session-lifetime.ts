import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts';

/** How long a session lasts without a request. */
export const IDLE_MS = 8 * HOUR_MS;
/** How long it lasts at most: where people have accounts, leaving the company should end it the same day. */
export const LIFETIME_MS = { token: 7 * DAY_MS, link: 7 * DAY_MS, oidc: 12 * HOUR_MS };
/** How long a link that signs in may be used. */
export const LINK_LIFETIME_MS = 15 * MINUTE_MS;
