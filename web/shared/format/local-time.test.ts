import { expect, test } from '@jest/globals';
import { formatLocalTime, parseLocalTime } from './local-time.ts';

test.each(['2026-06-15T12:00:00.000Z', '2026-01-15T23:59:00.000Z'])('a time field returns %s unchanged', (text) => {
  expect(parseLocalTime(formatLocalTime(text))).toBe(text);
});

test.each(['', 'tomorrow'])('%j is not a valid time', (text) => {
  expect([formatLocalTime(text), parseLocalTime(text)]).toEqual(['', undefined]);
});
