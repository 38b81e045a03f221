import { DAY_MS, HOUR_MS } from '../../../base/time.ts';

/** How long a session lasts without a request. */
export const IDLE_MS = 8 * HOUR_MS;
/** How long it lasts at most: where people have accounts elsewhere, losing those should end it the same day. */
export const LIFETIME_MS = { link: 7 * DAY_MS, key: 7 * DAY_MS, oidc: 12 * HOUR_MS };

export type SignInMethod = keyof typeof LIFETIME_MS;
