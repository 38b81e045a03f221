/** Milliseconds since the Unix epoch, a positive integer. */
export type Millis = number;

/** Returns the milliseconds since the Unix epoch. Tests inject a clock of their own. */
export type Clock = () => Millis;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The start of a UTC calendar month and of the next month. */
export interface MonthBounds {
  readonly start: Millis;
  readonly end: Millis;
}

/** Finds the UTC calendar month that contains a time. */
export function findMonth(time: Millis): MonthBounds {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

const DATE_TIME_PATTERN =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The first and last times whose year in UTC has four digits. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Whether a text is an RFC 3339 date-time (section 5.6) that `toDateTime` could also write. So in UTC, the year must be
 * from 0000 to 9999. Leap seconds are refused, because `Date` cannot represent them.
 */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME_PATTERN.test(text)) return false;
  const day = text.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  // Compare the day, because `Date.parse` turns February 30 into March 2.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) return false;
  const millis = toMillis(text);
  return millis >= FIRST_MS && millis <= LAST_MS;
}

/**
 * @param text a text that `isDateTime` accepts
 * @returns ms since the Unix epoch
 */
export function toMillis(text: string): number;
export function toMillis(text: string | undefined): number | undefined;
export function toMillis(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text.toUpperCase());
}

/** Formats a time as an RFC 3339 date-time in UTC. */
export function toDateTime(millis: number): string;
export function toDateTime(millis: number | null): string | null;
export function toDateTime(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}
