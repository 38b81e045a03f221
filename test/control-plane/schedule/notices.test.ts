import { expect, test } from '@jest/globals';
import { EARLY_NOTICE_MS } from '../../../src/control-plane/events/prune-events.ts';
import { countDaysUntil, findDueNotice } from '../../../src/control-plane/schedule/notices.ts';
import { NOTICE_DAYS } from '../../../src/control-plane/schedule/operation-notices.ts';

const DAY = 86_400_000;
const MOMENT = Date.UTC(2026, 11, 31);

test.each([
  [31, null],
  [30.000001, null],
  [30, 30],
  [29, 30],
  [7.5, 30],
  [7, 7],
  [1.000001, 7],
  [1, 1],
  [0.001, 1],
  [0, null],
  [-3, null],
])('%d days before a date, the notice that is due is the one for %s days', (days, expected) => {
  expect(findDueNotice([30, 7, 1], MOMENT, MOMENT - days * DAY)).toBe(expected);
});

test('the number of days left until a date is rounded up', () => {
  expect([7, 6.01, 1, 0.2].map((days) => countDaysUntil(MOMENT, MOMENT - days * DAY))).toEqual([7, 7, 1, 1]);
});

test('the event of a notice is stored for as long as the notice could be repeated', () => {
  expect(EARLY_NOTICE_MS).toBeGreaterThanOrEqual(Math.max(...NOTICE_DAYS) * DAY);
});
