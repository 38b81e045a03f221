/** Milliseconds since the Unix epoch, a positive integer. */
export type Millis = number;

/** Returns the milliseconds since the Unix epoch. Tests inject a clock of their own. */
export type Clock = () => Millis;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Start of a UTC calendar month, and of the next one. */
export interface MonthBounds {
  readonly start: Millis;
  readonly end: Millis;
}

/** The UTC calendar month that contains a time. */
export function findMonth(time: Millis): MonthBounds {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

const FORM = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The first and the last time with a year of four digits, in UTC. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Whether a text is an RFC 3339 date-time (section 5.6) that `toDateTime` can write. So the year must be 0000 to 9999
 * in UTC, too. Leap seconds are refused, because `Date` cannot represent them.
 */
export function isDateTime(text: string): boolean {
  if (!FORM.test(text)) return false;
  const day = text.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  // Date.parse reads February 30th as March 2nd.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) return false;
  const millis = toMillis(text);
  return millis >= FIRST_MS && millis <= LAST_MS;
}

/**
 * @param text one that `isDateTime` accepts
 * @returns ms since the Unix epoch
 */
export function toMillis(text: string): number;
export function toMillis(text: string | undefined): number | undefined;
export function toMillis(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text.toUpperCase());
}

/** An RFC 3339 date-time in UTC. */
export function toDateTime(millis: number): string;
export function toDateTime(millis: number | null): string | null;
export function toDateTime(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}
