export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How many days before its end a key is said to expire: from then on, events announce it. */
export const EXPIRING_DAYS = 7;
