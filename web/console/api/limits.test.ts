import { expect, test } from '@jest/globals';
import { createLimitTexts, readConcurrent, readLimits } from './limits.ts';

test.each([
  ['60', '1000', '', { minute: 60, day: 1000 }],
  ['1,000', '10 000', '', { minute: 1000, day: 10_000 }],
  ['5', '5', '', { minute: 5, day: 5 }],
  ['5', '5', '5', { minute: 5, day: 5, month: 5 }],
  ['60', '1000', '20,000', { minute: 60, day: 1000, month: 20_000 }],
  ['', '1000', '', null],
  ['0', '1000', '', null],
  ['61', '60', '', null],
  ['1.5', '60', '', null],
  ['1e3', '9000', '', null],
  ['1', '9007199254740993', '', null],
  ['60', '1000', '999', null],
  ['60', '1000', 'many', null],
])('%j a minute, %j a day and %j a month are %j', (minute, day, month, limits) => {
  expect(readLimits({ minute, day, month })).toEqual(limits);
});

test.each([
  { minute: 60, day: 1000 },
  { minute: 60, day: 1000, month: 20_000 },
])('%j is read back unchanged', (limits) => {
  expect(readLimits(createLimitTexts(limits))).toEqual(limits);
});

test.each([
  ['', null],
  [' ', null],
  ['5', 5],
  ['1,000', 1000],
  ['0', undefined],
  ['1.5', undefined],
  ['many', undefined],
])('%j requests at once are %j', (typed, limit) => {
  expect(readConcurrent(typed)).toBe(limit);
});
