import { expect, test } from '@jest/globals';
import { isDateTime, toDateTime, toMillis } from '../../src/base/time.ts';

test.each(['2026-11-01T00:00:00Z', '2026-11-01t00:00:00.25+02:00', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])(
  '%s is a date-time, and so is its canonical form',
  (text) => {
    expect(isDateTime(text)).toBe(true);
    expect(isDateTime(toDateTime(toMillis(text)))).toBe(true);
  },
);

/**
 * These offsets move the time in UTC out of the years 0 to 9999. ISO 8601 writes such years with a sign and six digits.
 */
test.each([
  '9999-12-31T23:59:59-00:01',
  '0000-01-01T00:00:00+00:01',
  '2026-02-30T00:00:00Z',
  '2026-11-01T00:00:60Z',
  '2026-11-01',
])('%s is not a date-time', (text) => {
  expect(isDateTime(text)).toBe(false);
});
