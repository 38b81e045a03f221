import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts';

/** How long a session lasts without a request. */
export const IDLE_MS = 8 * HOUR_MS;
/**
 * How long it lasts at most, by how it began. Where people have accounts elsewhere, losing those should end it the same
 * day.
 */
export const LIFETIME_MS = { token: 7 * DAY_MS, link: 7 * DAY_MS, key: 7 * DAY_MS, oidc: 12 * HOUR_MS };
/** How long a link that signs in to the console may be used. */
export const LINK_LIFETIME_MS = 15 * MINUTE_MS;
/** Maximum number of sessions for one name, account or key; a new one replaces the one that was idle longest. */
export const MAX_SESSIONS = 20;
/** How accurate `seenAt` is: a busy page does not write at each request. */
export const SEEN_PRECISION_MS = MINUTE_MS;
