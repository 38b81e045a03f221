export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The number of days before its end from which a key counts as expiring. Events announce it from then on. */
export const EXPIRING_DAYS = 7;
