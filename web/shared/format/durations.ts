export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A key counts as expiring during this number of days before its end. Events announce its expiry equally early. */
export const EXPIRING_DAYS = 7;
