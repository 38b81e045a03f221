import { isDateTime, toMillis } from '../base/time.ts';

/**
 * Reports what is wrong with a field of an operation, and what to do.
 *
 * @param within the path of the faulty value below the field; none: the field itself
 */
export type Fault = (field: string, what: string, within?: readonly PropertyKey[]) => void;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Parses a date (meaning 00:00 UTC) or an RFC 3339 date-time into ms since the Unix epoch. */
export function moment(text: string | null, field: string, fault: Fault): number | null {
  if (text === null) return null;
  const dateTime = DATE.test(text) ? `${text}T00:00:00Z` : text;
  if (isDateTime(dateTime)) return toMillis(dateTime);
  fault(
    field,
    `must be a date such as 2027-12-31 or a date-time such as 2026-12-31T00:00:00Z; it is ${JSON.stringify(text)}`,
  );
  return null;
}
